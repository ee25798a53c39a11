"""Records of matches: out of the database and into it, in files of ours and of other programs, checked, in words."""
