"""Programs that were not written for Arbitre, as bots: one kind a module, each a line in `bots.base.ADAPTERS`."""
