"""What clients ask for, a module for each kind of request. Pure."""
