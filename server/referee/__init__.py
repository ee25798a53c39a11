"""The referee: who and what is there, what is decided of a request, and who hears of it. Pure."""
