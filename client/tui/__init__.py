"""The full-screen terminal client. Only this package imports Textual, and it is imported only when its screen opens."""
