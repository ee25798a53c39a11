"""Who is in a class, and what was handed in: lists, names, files, and how alike these are."""
