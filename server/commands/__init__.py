"""The command lines of the server."""
