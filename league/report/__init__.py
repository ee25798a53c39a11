"""What people read of a league: tables, lines, the report page."""
