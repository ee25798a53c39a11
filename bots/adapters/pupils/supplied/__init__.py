"""What class documents presuppose, for files that come without it: their classes, and windows that nobody sees."""
