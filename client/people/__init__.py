"""What programs for people are made of: finding a server and a seat, a match at a table, games that are over."""
