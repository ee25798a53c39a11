"""The server: `match` and `referee`, which decide and are pure; `app` and what it drives, the shell; command lines."""
