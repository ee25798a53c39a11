"""A class: who is in it, what they hand in, their leagues, and the desk from which a teacher runs it."""
