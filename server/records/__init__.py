"""Records of matches, to and from files of Arbitre and of other programs."""
