"""The studio's runtime: what `arbitre studio install` has brought, and what a browser gets of it and of our sources."""
