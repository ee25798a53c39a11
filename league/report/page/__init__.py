"""The parts of the page that `league report` writes: markup, style and script, put together into one file."""
