"""The client side of Arbitre: the library that bots build upon, and the programs that people play with."""
