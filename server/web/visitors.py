"""The page that a browser shows at the server's address: how to play here, in both languages."""

from __future__ import annotations

import re
from html import escape
from string import Template
from typing import Final

from games import GAMES
from games.base import Words

_HOST: Final = re.compile(r"[A-Za-z0-9.\-]{1,255}(:[0-9]{1,5})?|\[[0-9a-fA-F:.]{2,45}\](:[0-9]{1,5})?")
"""What may stand in a Host header that we show again."""

_PAGE: Final = Template("""<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Arbitre</title>
<style>
:root { color-scheme: light dark; }
body { font: 17px/1.55 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.8rem; margin-bottom: 0; }
p { margin: .6rem 0; }
section { margin-top: 2rem; }
pre { padding: .8rem 1rem; border-radius: .5rem; background: #8882; overflow-x: auto; }
</style>
</head>
<body>
<h1>Arbitre</h1>
<section lang="fr">
<p>Ce serveur arbitre des parties de jeux à deux&nbsp;: $jeux. On y joue depuis un terminal, dans le dossier
d’Arbitre&nbsp;:</p>
<pre>python3 run.py play $address
python3 run.py watch $address</pre>
<p>Un bot s’y connecte de même&nbsp;:</p>
<pre>python3 run.py bot mon_bot.py $address</pre>
</section>
<section lang="en">
<p>This server referees games for two: $games. People play from a terminal, in the folder of
Arbitre:</p>
<pre>python3 run.py play $address
python3 run.py watch $address</pre>
<p>A bot connects in the same way:</p>
<pre>python3 run.py bot my_bot.py $address</pre>
</section>
</body>
</html>
""")


def _listed(names: list[str], last: str) -> str:
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else names[0]


def page(host: str, *, encrypted: bool) -> str:
    """The page; `host` is what the browser calls us, shown again only if it looks like an address."""
    address = host if _HOST.fullmatch(host) else "ADDRESS"
    titles = [kind.profile.title or Words(name, name) for name, kind in GAMES.items()]
    return _PAGE.substitute(
        address=f"wss://{address}" if encrypted else address,
        games=escape(_listed([title.english for title in titles], "and")),
        jeux=escape(_listed([title.french for title in titles], "et")),
    )
