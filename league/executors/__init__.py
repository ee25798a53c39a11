"""Where the games of a league are played: on this machine, by the bots of others who enter, or on a cluster."""
