"""Makes bots of programs that were not written for Arbitre: one module, and one line of `ADAPTERS`, for each kind."""
