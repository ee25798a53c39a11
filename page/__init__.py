"""The page that a server shows in a browser: static files, and what the games say of themselves, as one fixed table."""
