"""What clients ask for, but for entering leagues (`server.referee.leagues`): a module for each family. Pure."""
