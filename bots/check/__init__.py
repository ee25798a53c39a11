"""The compliance run `arbitre bot check`: a bot, a server and, between them, a relay that makes trouble on purpose."""
