"""What clients ask for, except entering leagues (`server.referee.leagues`): a module for each family. Pure."""
