"""One golden example for each message, and a whole conversation: exact bytes, shared by the reference and the tests."""

from __future__ import annotations

from typing import NamedTuple

_CLOCK = '"clock":{"initial_ms":60000,"increment_ms":1000}'
_NETWORK = '"network":{"outage":"pause","most_ms":90000,"lag":"forgiven"}'
_PLAYERS = '"players":[{"name":"Ada","kind":"bot"},{"name":"Bob","kind":"human"}]'

_BOARD = (
    '{"ply":2,"to_move":1,"rows":["O--","-X-","---"],"score":[0,0],"cells":[[0,0]],"moves":{"b1":[[1,0]],'
    '"c1":[[2,0]],"a2":[[0,1]],"c2":[[2,1]],"a3":[[0,2]],"b3":[[1,2]],"c3":[[2,2]]},"mover":2}'
)

_LEAGUE = '"league":"25qsdvda66pl"'
_ROWS = (
    '[{"name":"Ada","rank":1,"points":1.0,"played":1,"rating":1105.3,"error":812.4,"against":[null,1.0]},'
    '{"name":"Bob","rank":2,"points":0.0,"played":1,"rating":894.7,"error":812.4,"against":[0.0,null]}]'
)
_SWISS = (
    '[{"name":"Cid","rank":1,"points":2.0,"played":0,"against":[null,null,null],"buchholz":2.0},'
    '{"name":"Ada","rank":2,"points":2.0,"played":2,"against":[null,null,2.0],"buchholz":0.0},'
    '{"name":"Bob","rank":3,"points":0.0,"played":2,"against":[null,0.0,null],"buchholz":2.0}]'
)
_GAME = '{"number":1,"first":"Ada","second":"Bob","winner":1,"reason":"line","moves":"b2 a1 c1 b1 a3"}'
_RUNS = '{"match":"7hq0t2mr","first":"Bob","second":"Ada"}'
_SCOREBOARD = (
    '{"host":"Cleo","title":"Seconde 4","game":"morpion","state":"running","played":1,"planned":2,'
    f'"rows":{_ROWS},"playing":[{_RUNS}]}}'
)
_SUMMARY = f'{{{_LEAGUE},"host":"Cleo","title":"Seconde 4","game":"morpion","state":"running","players":2}}'

CLIENT_EXAMPLES: dict[str, tuple[str, ...]] = {
    "hello": (
        '{"type":"hello","id":1,"protocol":1,"client":"my-bot 0.1","kind":"bot","name":"Ada","batch":true}',
        (
            '{"type":"hello","id":1,"protocol":1,"client":"my-bot 0.1","kind":"bot","name":"Ada",'
            '"token":"s1.Zm9vYmFyYmF6cXV4","batch":true,"seen":{"88bc4zxj":5}}'
        ),
        (
            '{"type":"hello","id":1,"protocol":1,"client":"arbitre/0.1","kind":"human","name":"Cleo",'
            '"password":"sesame","organiser":"Zm9vYmFyYmF6cXV4"}'
        ),
        '{"type":"hello","id":1,"protocol":1,"client":"page/0.1","kind":"human","name":"Cleo","boards":true}',
        (
            '{"type":"hello","id":1,"protocol":1,"client":"arbitre/0.1","kind":"bot","name":"reviews",'
            '"service":"Zm9vYmFyYmF6cXV4","serves":"reviews"}'
        ),
    ),
    "create": (
        '{"type":"create","id":2,"game":"puissance4"}',
        (
            '{"type":"create","id":2,"game":"othello:size=6","clock":{"initial_ms":300000,"increment_ms":3000},'
            '"public":false,"seat":"first","play":false,"invite":["Ada","Bob"]}'
        ),
        '{"type":"create","id":2,"game":"morpion:width=5,height=5,k=4","clock":{"move_ms":2000}}',
        (
            '{"type":"create","id":2,"game":"othello","play":false,"invite":["Ada","Bob"],"opening":["f5","d6","c3"],'
            '"seed":"7:12","follow":false}'
        ),
        (
            '{"type":"create","id":2,"game":"othello","clock":{"initial_ms":10000,"increment_ms":100},"play":false,'
            f'"invite":["Ada","Bob"],"follow":false,{_NETWORK}}}'
        ),
        (
            '{"type":"create","id":2,"game":"othello","clock":{"initial_ms":10000,"increment_ms":100,"second":'
            '{"initial_ms":5000}},"play":false,"invite":["Ada","Bob"],"follow":false}'
        ),
    ),
    "join": (
        '{"type":"join","id":2,"match":"88bc4zxj"}',
        '{"type":"join","id":2,"code":"BATOMI"}',
        '{"type":"join","id":2,"link":"Zm9vYmFyYmF6cXV4Zm9vYg"}',
    ),
    "decline": (
        '{"type":"decline","id":2,"match":"88bc4zxj"}',
        '{"type":"decline","id":3,"match":"88bc4zxj","why":"busy"}',
    ),
    "watch": (
        '{"type":"watch","id":2,"match":"88bc4zxj"}',
        '{"type":"watch","id":2,"code":"BATOMI"}',
        '{"type":"watch","id":2,"link":"Zm9vYmFyYmF6cXV4Zm9vYg"}',
    ),
    "leave": ('{"type":"leave","id":8,"match":"88bc4zxj"}',),
    "list": (
        '{"type":"list","id":2}',
        '{"type":"list","id":2,"game":"othello"}',
        '{"type":"list","id":3,"game":"othello","after":4711,"limit":20}',
    ),
    "lobby": ('{"type":"lobby","id":2,"game":"othello"}', '{"type":"lobby","id":3,"follow":false}'),
    "boards": (
        '{"type":"boards","id":4,"game":"puissance4"}',
        '{"type":"boards","id":4,"game":"morpion","moves":["b2","a1"],"since":2}',
    ),
    "review": (
        '{"type":"review","id":4,"game":"morpion","moves":["b2","a1","c1"]}',
        '{"type":"review","id":4,"match":"88bc4zxj"}',
        '{"type":"review","id":5,"match":"88bc4zxj","follow":false}',
    ),
    "explain": (
        '{"type":"explain","id":4,"game":"morpion","moves":["b2"]}',
        '{"type":"explain","id":4,"game":"morpion","moves":["b2"],"depth":3,"path":["a1"]}',
    ),
    "serve": ('{"type":"serve","id":2,"judge":"1"}',),
    "judgement": (
        '{"type":"judgement","id":3,"job":"0f1e2d3c4b5a6978","steps":[{"ply":2,"chance":500,"exact":true,"value":0,"best":["c1","a3"],"line":["c1","a3"],"grade":"best"}]}',
        '{"type":"judgement","id":4,"job":"0f1e2d3c4b5a6978","done":true}',
        '{"type":"judgement","id":5,"job":"8796a5b4c3d2e1f0","branches":[{"to_move":2,"kind":"replies","value":4,"children":8},{"to_move":1,"kind":"estimate","value":5,"move":"a1"}],"done":true}',
        '{"type":"judgement","id":6,"job":"8796a5b4c3d2e1f0","done":true,"why":"over"}',
    ),
    "sync": ('{"type":"sync","id":7,"match":"88bc4zxj"}', '{"type":"sync","id":7,"match":"88bc4zxj","seq":5}'),
    "move": ('{"type":"move","id":3,"match":"88bc4zxj","ply":0,"move":"b2"}',),
    "resign": (
        '{"type":"resign","id":7,"match":"88bc4zxj"}',
        '{"type":"resign","id":7,"match":"88bc4zxj","reason":"crash"}',
    ),
    "offer": ('{"type":"offer","id":7,"match":"88bc4zxj","what":"draw"}',),
    "answer": ('{"type":"answer","id":7,"match":"88bc4zxj","what":"takeback","accept":true}',),
    "abort": ('{"type":"abort","id":7,"match":"88bc4zxj"}',),
    "give_time": ('{"type":"give_time","id":7,"match":"88bc4zxj"}',),
    "seat_link": ('{"type":"seat_link","id":7,"match":"88bc4zxj"}',),
    "claim": ('{"type":"claim","id":7,"match":"88bc4zxj"}',),
    "chat": ('{"type":"chat","id":7,"match":"88bc4zxj","text":"Bien joué !"}',),
    "thinking": (
        (
            '{"type":"thinking","id":7,"match":"88bc4zxj","ply":2,"depth":7,"score":0.5,"pv":["c1","a3"],'
            '"nodes":181440,"ms":62}'
        ),
        '{"type":"thinking","id":7,"match":"88bc4zxj","ply":2}',
        '{"type":"thinking","id":7,"match":"88bc4zxj","ply":2,"depth":7,"score":1.0,"exact":true}',
    ),
    "host": (
        '{"type":"host","id":7}',
        '{"type":"host","id":7,"code":"BATOMI"}',
        '{"type":"host","id":7,"code":"BATOMI","roster":[{"name":"Ada","hash":"bcbbfe5790689d40026411ecd79996a1e5ec5fb958f7c1e82e21e384078893f3"}]}',
        '{"type":"host","id":7,"code":"BATOMI","bound":[{"name":"Ada","code":"BATOMI","hash":"0de1b6572a0bb8b8d04c2aeab8f18de903f35183ede37ed5f139cac4f1fc356c"}]}',
    ),
    "enter": (
        '{"type":"enter","id":7,"code":"BATOMI"}',
        '{"type":"enter","id":7,"code":"BATOMI","personal":"DUMERILO"}',
        '{"type":"enter","id":7,"code":"BATOMI","key":"kq0Zl3V8yYc1mJv5T7d2Xw"}',
        '{"type":"enter","id":7,"code":"BATOMI","key":"kq0Zl3V8yYc1mJv5T7d2Xw","name":"Ada","again":true}',
    ),
    "dismiss": (
        '{"type":"dismiss","id":7,"code":"BATOMI","name":"Eve"}',
        '{"type":"dismiss","id":7,"code":"BATOMI","name":"Eve","free":true}',
        '{"type":"dismiss","id":7,"code":"BATOMI"}',
    ),
    "write": ('{"type":"write","id":8,"code":"BATOMI","text":"{\\"type\\":\\"ready\\"}"}',),
    "tell": (
        '{"type":"tell","id":8,"code":"BATOMI","text":"{\\"type\\":\\"begins\\"}"}',
        '{"type":"tell","id":8,"code":"BATOMI","text":"{\\"type\\":\\"noted\\"}","to":["s1"]}',
    ),
    "show": (
        (
            '{"type":"show","id":7,"key":"kq0Zl3V8yYc1mJv5T7d2Xw","title":"Seconde 4","game":"morpion",'
            f'"state":"running","played":1,"planned":2,"rows":{_ROWS},"playing":[{_RUNS}],"games":[{_GAME}],'
            '"again":true}'
        ),
        ('{"type":"show","id":7,"key":"kq0Zl3V8yYc1mJv5T7d2Xw","title":"Seconde 4","game":"morpion","state":"open"}'),
        (
            '{"type":"show","id":8,"key":"kq0Zl3V8yYc1mJv5T7d2Xw","title":"Seconde 4","game":"morpion",'
            f'"state":"running","played":2,"planned":6,"rows":{_SWISS},"ties":"buchholz"}}'
        ),
    ),
    "league": (
        f'{{"type":"league","id":7,{_LEAGUE}}}',
        f'{{"type":"league","id":7,{_LEAGUE},"before":32}}',
        f'{{"type":"league","id":7,{_LEAGUE},"follow":false}}',
    ),
    "pause": ('{"type":"pause","id":7,"match":"88bc4zxj"}',),
    "resume": ('{"type":"resume","id":7,"match":"88bc4zxj"}',),
    "adjudicate": (
        '{"type":"adjudicate","id":7,"match":"88bc4zxj","winner":2}',
        '{"type":"adjudicate","id":7,"match":"88bc4zxj","winner":null}',
    ),
    "terminate": ('{"type":"terminate","id":7,"match":"88bc4zxj"}',),
    "kick": ('{"type":"kick","id":7,"name":"Eve"}',),
    "switch": ('{"type":"switch","id":7,"chat":false,"takebacks":true,"values":false}',),
}

SERVER_EXAMPLES: dict[str, tuple[str, ...]] = {
    "welcome": (
        (
            '{"type":"welcome","protocol":1,"session":"s1","token":"s1.Zm9vYmFyYmF6cXV4","name":"Ada",'
            '"features":["batch","takeback","rematch","thinking","organiser","league","lobby","network","boards","scoreboard","give_time","seat_link","letters","switches","time_odds"],'
            '"limits":{"max_frame_bytes":65536,"max_batch":512,'
            '"max_chat":300,"max_matches":1000,"absence_ms":60000},"games":["othello","puissance4","morpion"],'
            '"server_time_ms":1767225600000,"resumed":true,"matches":["88bc4zxj"]}'
        ),
    ),
    "ok": (
        '{"type":"ok","id":3}',
        '{"type":"ok","id":2,"match":"88bc4zxj","code":"BATOMI","link":"Zm9vYmFyYmF6cXV4Zm9vYg"}',
        (
            '{"type":"ok","id":2,"matches":[{"match":"88bc4zxj","game":"morpion","status":"playing",'
            f'{_PLAYERS},{_CLOCK},"ply":4,"viewers":1,"opened_ms":1767225540000}}],"players":[{{"name":"Ada","kind":"bot"}},'
            '{"name":"human:level=3","kind":"bot","house":true}],"more":4711}'
        ),
        f'{{"type":"ok","id":4,"boards":[{_BOARD}]}}',
        f'{{"type":"ok","id":2,"matches":[],"players":[],"leagues":[{_SUMMARY}]}}',
        f'{{"type":"ok","id":7,{_LEAGUE}}}',
        f'{{"type":"ok","id":7,"more":1,"scoreboard":{_SCOREBOARD},"games":[{_GAME}]}}',
        (
            '{"type":"ok","id":4,"boards":[{"ply":5,"to_move":2,"rows":["XXX","OO-","---"],"score":[1,0],"cells":[[2,0]],"mover":1}],'
            '"result":{"winner":1,"reason":"line","score":[1,0],"cells":[[0,0],[1,0],[2,0]]}}'
        ),
        (
            '{"type":"ok","id":4,"boards":[{"ply":4,"to_move":2,"rows":["OOO-","-XX-","-XXX","----"],"score":[5,3],"cells":[[0,0]],'
            '"moves":{"a3":[[0,2]],"b4":[[1,3]],"c4":[[2,3]],"d4":[[3,3]]},"mover":2,"passed":1}]}'
        ),
        '{"type":"ok","id":4,"ticket":"0f1e2d3c4b5a6978"}',
    ),
    "error": (
        (
            '{"type":"error","code":"illegal_move","message":"illegal move \'b2\': occupied","id":6,'
            '"data":{"why":"occupied","legal":["b1","c1","a2"]}}'
        ),
        '{"type":"error","code":"session_replaced","message":"superseded","fatal":true}',
        '{"type":"error","code":"rate_limited","message":"too many requests","id":7,"retry_after_ms":1000}',
    ),
    "invitation": (
        '{"type":"invitation","match":"88bc4zxj","game":"morpion","by":"Cleo","seat":2,' + _CLOCK + ',"seed":"7:12"}',
        '{"type":"invitation","match":"88bc4zxj","game":"morpion","by":"Cleo","seat":2,' + f"{_CLOCK},{_NETWORK}}}",
    ),
    "snapshot": (
        (
            '{"type":"snapshot","match":"88bc4zxj","seq":8,"game":"morpion","status":"playing",'
            f'{_PLAYERS},"seat":2,"moves":["b2","a1","c1"],"ply":3,"to_move":2,"legal":["b1","a2","c2","a3","b3","c3"],'
            f'{_CLOCK},"clocks":[59901,55050],"offers":{{"draw":1}},"code":"BATOMI","link":"Zm9vYmFyYmF6cXV4Zm9vYg","viewers":1,{_NETWORK},"arranged":true}}'
        ),
        (
            '{"type":"snapshot","match":"88bc4zxj","seq":4,"game":"morpion","status":"finished",'
            '"players":[{"name":"Ada","kind":"bot","present":false},{"name":"Bob","kind":"human"}],"seat":null,"moves":[],'
            '"ply":0,"to_move":1,"legal":[],"result":{"winner":2,"reason":"abandoned","score":[0,0]},"delay_ms":30000}'
        ),
    ),
    "your_turn": (
        (
            '{"type":"your_turn","match":"88bc4zxj","ply":3,"legal":["b1","a2","c2","a3","b3","c3"],'
            '"clocks":[59901,56750],"deadline_ms":56750}'
        ),
        (
            '{"type":"your_turn","match":"88bc4zxj","ply":3,"legal":["b1","a2","c2","a3","b3","c3"],'
            '"clocks":[59901,56750],"deadline_ms":56750,"rtt_ms":180,"allowance_ms":100}'
        ),
        '{"type":"your_turn","match":"88bc4zxj","ply":3,"legal":["b1","a2","c2","a3","b3","c3"]}',
    ),
    "board": (f'{{"type":"board","match":"88bc4zxj","board":{_BOARD}}}',),
    "thought": (
        (
            '{"type":"thought","match":"88bc4zxj","ply":2,"seat":1,"depth":7,"score":0.5,"pv":["c1","a3"],'
            '"nodes":181440,"ms":62}'
        ),
        '{"type":"thought","match":"88bc4zxj","ply":2,"seat":1,"depth":7,"score":1.0,"exact":true}',
    ),
    "murmur": ('{"type":"murmur","match":"88bc4zxj","name":"Eve","text":"a3 gagne"}',),
    "report": (
        (
            f'{{"type":"report","match":"88bc4zxj",{_PLAYERS},"result":{{"winner":1,"reason":"line","score":[1,0],'
            '"cells":[[2,0],[1,1],[0,2]]},"moves":["b2","a1","c1","b1","a3"],"used_ms":[2099,4950],'
            '"move_ms":[1500,3250,599,1700,0]}'
        ),
        (
            '{"type":"report","match":"88bc4zxj","players":[{"name":"Ada","kind":"bot"},null],'
            '"result":{"winner":null,"reason":"aborted","score":[0,0],"declined":"busy","refused_by":2},"moves":[],"declined":2}'
        ),
        (
            f'{{"type":"report","match":"88bc4zxj",{_PLAYERS},"result":{{"winner":null,"reason":"aborted",'
            '"score":[0,0],"away":2},"moves":["b2"],"used_ms":[2099,0],"away_ms":[0,90000]}'
        ),
    ),
    "lobby_changed": (
        (
            f'{{"type":"lobby_changed","matches":[{{"match":"88bc4zxj","game":"morpion","status":"playing",{_PLAYERS}}}],'
            '"gone":["7hq0t2mr"],"players":[{"name":"Cleo","kind":"human","present":false}]}'
        ),
        '{"type":"lobby_changed","again":true}',
        f'{{"type":"lobby_changed","leagues":[{_SUMMARY}]}}',
    ),
    "league_changed": (
        f'{{"type":"league_changed",{_LEAGUE},"scoreboard":{_SCOREBOARD},"games":[{_GAME}],"again":true}}',
        (
            f'{{"type":"league_changed",{_LEAGUE},"scoreboard":{{"host":"Cleo","title":"Seconde 4","game":"morpion",'
            f'"state":"running","played":2,"planned":6,"rows":{_SWISS},"ties":"buchholz"}}}}'
        ),
        f'{{"type":"league_changed",{_LEAGUE}}}',
    ),
    "reviewed": (
        '{"type":"reviewed","ticket":"0f1e2d3c4b5a6978","status":"queued","place":2}',
        '{"type":"reviewed","ticket":"0f1e2d3c4b5a6978","status":"running","steps":[{"ply":2,"chance":500,"exact":true,"value":0,"best":["c1","a3"],"line":["c1","a3"],"grade":"best"},{"ply":3,"chance":500,"exact":true,"value":0}]}',
        '{"type":"reviewed","ticket":"0f1e2d3c4b5a6978","status":"failed","why":"being_played"}',
    ),
    "explained": (
        '{"type":"explained","ticket":"8796a5b4c3d2e1f0","branches":[{"to_move":2,"kind":"replies","value":1,"plies":3,"bound":"at_least","chosen":true,"unseen":["c3"],"children":1},{"to_move":1,"kind":"estimate","value":5,"move":"a1"}]}',
        '{"type":"explained","ticket":"8796a5b4c3d2e1f0","why":"too_large"}',
    ),
    "job": (
        '{"type":"job","job":"0f1e2d3c4b5a6978","what":"review","game":"morpion","moves":["b2","a1","c1"]}',
        '{"type":"job","job":"8796a5b4c3d2e1f0","what":"explain","game":"morpion","moves":["b2"],"depth":2,"path":["a1"]}',
    ),
    "job_over": ('{"type":"job_over","job":"0f1e2d3c4b5a6978"}',),
    "closing": ('{"type":"closing","retry_after_ms":5000}', '{"type":"closing"}'),
    "entrant": (
        '{"type":"entrant","code":"BATOMI","player":{"name":"Ada","kind":"bot"}}',
        '{"type":"entrant","code":"BATOMI","player":{"name":"Ada","kind":"bot","present":false}}',
        '{"type":"entrant","code":"BATOMI","player":{"name":"Ada 2","kind":"bot"},"entry":"Ada","replaced":"Ada"}',
        '{"type":"entrant","code":"BATOMI","player":{"name":"Ada","kind":"bot"},"bound":{"name":"Ada","code":"BATOMI","hash":"0de1b6572a0bb8b8d04c2aeab8f18de903f35183ede37ed5f139cac4f1fc356c"},"rtt_ms":41}',
    ),
    "entry_refused": (
        '{"type":"entry_refused","code":"BATOMI","name":"Ada"}',
        '{"type":"entry_refused","code":"BATOMI","name":"Ada","count":12,"origin":"192.0.2.7"}',
    ),
    "letter": (
        '{"type":"letter","code":"BATOMI","session":"s1","text":"{\\"type\\":\\"ready\\"}","entry":"Ada"}',
        '{"type":"letter","code":"BATOMI","session":"s2","text":"{\\"type\\":\\"freeze\\"}","directs":true}',
    ),
    "told": ('{"type":"told","code":"BATOMI","text":"{\\"type\\":\\"begins\\"}"}',),
    "switched": ('{"type":"switched","chat":false,"takebacks":false,"values":false}',),
    "seated": ('{"type":"seated","match":"88bc4zxj","seq":2,"seat":2,"player":{"name":"Bob","kind":"human"}}',),
    "started": ('{"type":"started","match":"88bc4zxj","seq":3,"to_move":1,"clocks":[60000,60000]}',),
    "moved": (
        '{"type":"moved","match":"88bc4zxj","seq":4,"ply":0,"seat":1,"move":"b2","to_move":2,"clocks":[59500,60000],"used_ms":1500,"lag_ms":40,"stall_ms":120}',
        '{"type":"moved","match":"88bc4zxj","seq":4,"ply":0,"seat":1,"move":"b2","to_move":2,"opening":true}',
    ),
    "passed": ('{"type":"passed","match":"7hq0t2mr","seq":31,"ply":28,"seat":2}',),
    "paused": (
        '{"type":"paused","match":"88bc4zxj","seq":7,"clocks":[59901,55050],"used_ms":1700,"lag_ms":40,"stall_ms":5}',
        '{"type":"paused","match":"88bc4zxj","seq":7,"clocks":[59901,55050],"used_ms":1700,"stopping":true}',
    ),
    "resumed": ('{"type":"resumed","match":"88bc4zxj","seq":8,"to_move":2,"clocks":[59901,55050]}',),
    "took_back": (
        '{"type":"took_back","match":"88bc4zxj","seq":8,"ply":2,"seat":1,"to_move":1,"clocks":[59901,55050]}',
    ),
    "offered": ('{"type":"offered","match":"88bc4zxj","seq":7,"what":"takeback","seat":1}',),
    "declined": ('{"type":"declined","match":"88bc4zxj","seq":8,"what":"takeback","seat":2}',),
    "gave_time": ('{"type":"gave_time","match":"88bc4zxj","seq":7,"seat":1,"added_ms":15000,"clocks":[59901,69050]}',),
    "presence": (
        '{"type":"presence","match":"88bc4zxj","seq":7,"seat":1,"present":false,"claimable_ms":60000}',
        '{"type":"presence","match":"88bc4zxj","seq":8,"seat":1,"present":true}',
        '{"type":"presence","match":"88bc4zxj","seq":7,"seat":1,"present":false,"clocks":[59901,55050],"used_ms":1700,"lag_ms":40,"stall_ms":5,"waits_ms":90000}',
    ),
    "said": ('{"type":"said","match":"88bc4zxj","seq":9,"seat":2,"text":"Bien joué !"}',),
    "finished": (
        (
            '{"type":"finished","match":"88bc4zxj","seq":11,"result":{"winner":1,"reason":"line","score":[1,0],'
            '"cells":[[2,0],[1,1],[0,2]]},"clocks":[59901,55050]}'
        ),
        (
            '{"type":"finished","match":"7hq0t2mr","seq":66,"result":{"winner":null,"reason":"discs","score":[31,31],'
            '"tournament_score":[32,32]},"clocks":[0,1200],"used_ms":8000,"lag_ms":30,"stall_ms":60}'
        ),
        (
            '{"type":"finished","match":"4mzq81pd","seq":49,"result":{"winner":2,"reason":"rules","score":[0,1],'
            '"cells":[[1,5]],"ending":"goal"}}'
        ),
    ),
    "rematched": ('{"type":"rematched","match":"88bc4zxj","seq":13,"next":"vvufpnz9"}',),
}


class Step(NamedTuple):
    """A moment of the conversation: what happens around Ada's bot, what it sends, what it gets."""

    happens: str
    sent: tuple[str, ...]
    received: tuple[str, ...]


_M = '"match":"88bc4zxj"'
_LEGAL_0 = '"legal":["a1","b1","c1","a2","b2","c2","a3","b3","c3"]'

CONVERSATION: tuple[Step, ...] = (
    Step(
        "Ada's bot opens the connection and says who it is. The `token` is worth keeping.",
        ('{"type":"hello","id":1,"protocol":1,"client":"my-bot 0.1","kind":"bot","name":"Ada","batch":true}',),
        (
            (
                '{"type":"welcome","protocol":1,"session":"s1","token":"s1.Zm9vYmFyYmF6cXV4","name":"Ada",'
                '"features":["batch","takeback","rematch","thinking","organiser","league","lobby","network","boards","scoreboard","give_time","seat_link","letters","switches","time_odds"],'
                '"limits":{"max_frame_bytes":65536,"max_batch":512,'
                '"max_chat":300,"max_matches":1000,"absence_ms":60000},"games":["othello","puissance4","morpion"],'
                '"server_time_ms":1767225600000}'
            ),
            '{"type":"ok","id":1}',
        ),
    ),
    Step(
        "It opens a match of morpion with one minute each and a second more after each move.",
        ('{"type":"create","id":2,"game":"morpion",' + _CLOCK + ',"seat":"first"}',),
        (
            f'{{"type":"ok","id":2,{_M}}}',
            (
                f'{{"type":"snapshot",{_M},"seq":1,"game":"morpion","status":"waiting","players":[{{"name":"Ada",'
                f'"kind":"bot"}},null],"seat":1,"moves":[],"ply":0,"to_move":1,"legal":[],{_CLOCK},"clocks":[60000,60000]}}'
            ),
        ),
    ),
    Step(
        "Bob joins, with a `join` of his own: the match starts, and it is the bot's turn.",
        (),
        (
            f'{{"type":"seated",{_M},"seq":2,"seat":2,"player":{{"name":"Bob","kind":"human"}}}}',
            f'{{"type":"started",{_M},"seq":3,"to_move":1,"clocks":[60000,60000]}}',
            f'{{"type":"your_turn",{_M},"ply":0,{_LEGAL_0},"clocks":[60000,60000],"deadline_ms":60000}}',
        ),
    ),
    Step(
        "It thinks for half a second more than its increment gives back, and plays the centre.",
        (f'{{"type":"move","id":3,{_M},"ply":0,"move":"b2"}}',),
        (
            '{"type":"ok","id":3}',
            f'{{"type":"moved",{_M},"seq":4,"ply":0,"seat":1,"move":"b2","to_move":2,"clocks":[59500,60000],"used_ms":1500}}',
        ),
    ),
    Step(
        "Bob answers in a corner.",
        (),
        (
            f'{{"type":"moved",{_M},"seq":5,"ply":1,"seat":2,"move":"a1","to_move":1,"clocks":[59500,56750],"used_ms":4250}}',
            (
                f'{{"type":"your_turn",{_M},"ply":2,"legal":["b1","c1","a2","c2","a3","b3","c3"],'
                '"clocks":[59500,56750],"deadline_ms":59500}'
            ),
        ),
    ),
    Step(
        "The bot has a bug. The clock runs on, and it may try again.",
        (f'{{"type":"move","id":4,{_M},"ply":2,"move":"b2"}}',),
        (
            (
                '{"type":"error","code":"illegal_move","message":"illegal move \'b2\': occupied","id":4,'
                '"data":{"why":"occupied","legal":["b1","c1","a2","c2","a3","b3","c3"]}}'
            ),
        ),
    ),
    Step(
        "",
        (f'{{"type":"move","id":5,{_M},"ply":2,"move":"c1"}}',),
        (
            '{"type":"ok","id":5}',
            f'{{"type":"moved",{_M},"seq":6,"ply":2,"seat":1,"move":"c1","to_move":2,"clocks":[59901,56750],"used_ms":599}}',
        ),
    ),
    Step(
        "The Wi-Fi goes away. The bot connects again, with its token and the last `seq` that it has seen. It gets a"
        " new token, and what it missed: that it was away, and that it is back.",
        (
            (
                '{"type":"hello","id":6,"protocol":1,"client":"my-bot 0.1","kind":"bot","name":"Ada",'
                '"token":"s1.Zm9vYmFyYmF6cXV4","batch":true,"seen":{"88bc4zxj":6}}'
            ),
        ),
        (
            (
                '{"type":"welcome","protocol":1,"session":"s1","token":"s1.bmV4dCBzZWNyZXQh","name":"Ada",'
                '"features":["batch","takeback","rematch","thinking","organiser","league","lobby","network","boards","scoreboard","give_time","seat_link","letters","switches","time_odds"],'
                '"limits":{"max_frame_bytes":65536,"max_batch":512,'
                '"max_chat":300,"max_matches":1000,"absence_ms":60000},"games":["othello","puissance4","morpion"],'
                '"server_time_ms":1767225600000,"resumed":true,"matches":["88bc4zxj"]}'
            ),
            '{"type":"ok","id":6}',
            f'{{"type":"presence",{_M},"seq":7,"seat":1,"present":false,"claimable_ms":60000}}',
            f'{{"type":"presence",{_M},"seq":8,"seat":1,"present":true}}',
        ),
    ),
    Step(
        "Bob plays without looking.",
        (),
        (
            f'{{"type":"moved",{_M},"seq":9,"ply":3,"seat":2,"move":"a2","to_move":1,"clocks":[59901,55050],"used_ms":2700}}',
            (
                f'{{"type":"your_turn",{_M},"ply":4,"legal":["b1","c2","a3","b3","c3"],"clocks":[59901,55050],'
                '"deadline_ms":59901}'
            ),
        ),
    ),
    Step(
        "The bot completes its diagonal. The match is over.",
        (f'{{"type":"move","id":7,{_M},"ply":4,"move":"a3"}}',),
        (
            '{"type":"ok","id":7}',
            f'{{"type":"moved",{_M},"seq":10,"ply":4,"seat":1,"move":"a3","to_move":2,"clocks":[59901,55050],"used_ms":1000}}',
            (
                f'{{"type":"finished",{_M},"seq":11,"result":{{"winner":1,"reason":"line","score":[1,0],'
                '"cells":[[2,0],[1,1],[0,2]]},"clocks":[59901,55050]}'
            ),
        ),
    ),
)
