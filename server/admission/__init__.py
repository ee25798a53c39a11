"""Who may come in: accepting, addresses, hosts and origins, secrets that are guessed, TLS."""
