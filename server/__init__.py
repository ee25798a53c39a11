"""The referee: a pure core (match, clock, history, sessions, lobby, referee), and its shell (app)."""
