"""Pupils' files as bots: a child process that runs one, unchanged, and finds in it the function of a class document.

`host` is the process; `loading`, `stage` and `trouble` run the file and tell what became of it; `interfaces` knows what
the documents ask for; `supplied` holds the classes that a document takes for given; `facts` is what the process says.
All of it needs only the standard library and the packages below `bots`.
"""
