"""Takes all the memory that there is, a little at a time."""

held = []
while True:
    held.append(b"x" * (8 << 20))
