#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Start here: set up what a command needs, then run it. Standard library only.

    python3 run.py demo            as `arbitre demo`; so for every command of Arbitre
    python3 run.py test [...]      the tests (arguments go to pytest; slow ones: -m slow, more of them: -m thorough)
    python3 run.py test --quick    what a changed line breaks first, in less than a minute: rules, protocol, core;
                                   without processes, sockets, long games (left out: see tests/quick.py)
    python3 run.py test --compiled the same with the compiled core, which it makes first
    python3 run.py compile         compile the core with mypyc and a C compiler; --remove: run the plain one again
    python3 run.py lint            every linter, all of them even when one fails
    python3 run.py bench [NAME]    a benchmark, or the list of them
    python3 run.py messages        take up new messages in the French catalogue
    python3 run.py docs            write anew what documents say of messages and games
    python3 run.py lock [...]      compile requirements/*.in and package.json again (arguments go to uv: --upgrade)

bootstrap.py does it. This file has to parse on any Python, 2.7 too, so as to say which one is needed.
"""

import os
import sys

OLDEST = (3, 11)


def complain_about_python():  # type: () -> int
    """Say, in both languages, which Python is needed; return the exit code."""
    found = ".".join(str(part) for part in sys.version_info[:3])
    sys.stderr.write(
        "run.py: Arbitre needs Python 3.11 or newer and this is Python {0}: install a newer one from python.org and "
        "start run.py with it.\nrun.py : Arbitre demande Python 3.11 ou plus, et ceci est Python {0} : installez-en "
        "un plus récent depuis python.org et lancez run.py avec lui.\n".format(found)
    )
    return 1


def main(words):  # type: (list[str]) -> int
    """Run one command; return its exit code."""
    if sys.version_info < OLDEST:
        return complain_about_python()
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))  # with -P it is not there
    import bootstrap

    return bootstrap.main(words)


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
    except KeyboardInterrupt:  # while bootstrap is imported; later it says so itself
        code = 130
    sys.exit(code)
