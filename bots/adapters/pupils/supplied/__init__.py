"""What class documents take for given, for files that come without it: classes of theirs, and windows nobody sees."""
