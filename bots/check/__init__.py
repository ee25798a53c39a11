"""The compliance test `arbitre bot check`: a bot, a server, and a relay between them that disturbs on purpose."""
