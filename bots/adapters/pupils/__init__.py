"""Pupils' files as bots: a child process runs a file, unchanged, and finds in it the function of a class document.

`host` is the process. `loading`, `stage` and `trouble` run the file and report what happened. `interfaces` knows what
the documents ask for, `supplied` has the classes that they presuppose, and `facts` defines the messages of the process.
All of this needs only the standard library and the packages below `bots`.
"""
