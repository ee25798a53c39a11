"""What people see and type in a terminal: boards, sentences about a match, tables, time left, a line editor."""
