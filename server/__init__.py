"""The server: a pure referee (`match`, `referee`), its shell (`app` and the folders beside it), its command lines."""
