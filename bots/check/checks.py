"""The checks, by name, in the order in which they run. Each plays some matches on a rig and says what it found."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import games
from bots.check.interference import CUTS, CutThrice, Faithful, Interference, Newer, Stale, Twice
from bots.check.judging import CheckedMatch, Finding, first_fault, longest_absence_s, summary
from bots.check.opponent import Wish
from bots.check.rig import BotGone, Rig
from bots.check.steering import toward_a_long_game, toward_own_passes, toward_passes_of_the_bot, wander
from games.base import Seat
from locales import N_, _, decimal, ngettext
from protocol import SUBPROTOCOL
from terminal.phrases import game_title, title_of

Check = Callable[[Rig], Awaitable[Finding]]
"""Runs on a rig that is ready. Raises BotGone, and ClientError if the server is gone."""

_ENOUGH = 42
"""About how many moves a disturbed game should have: enough for trouble to arise, few enough to be over soon."""

_BOARDS = {name: (*game.profile.boards, *game.profile.sizes) for name, game in games.GAMES.items()}


def _length(spec: str) -> int:
    return games.parse(spec).longest


SIZES = tuple(spec for specs in _BOARDS.values() for spec in specs)
"""Boards that are not square, higher than nine, or of another size than usual."""

SHORT = tuple(dict.fromkeys((*(min((name, *_BOARDS[name]), key=_length) for name in games.GAMES), *games.GAMES)))
"""The shortest board of each game, and the games themselves for bots that know no other."""

LONGEST = (*games.GAMES, *SIZES)
"""Rules whose games are long."""

PLAIN = tuple(sorted(games.GAMES, key=lambda name: abs(_length(name) - _ENOUGH))) + SIZES
"""Games in which the bot makes several moves: for a check that does not depend on the game, one of them is enough."""

PASSING = tuple(spec for name in games.GAMES if games.GAMES[name].profile.passes for spec in (*_BOARDS[name], name))
"""Boards on which a seat may have to pass."""

AT_ONCE = 10
ROUNDS = 10
"""How many pairs of matches are played, at most, until one has what the check looks for."""


async def start(rig: Rig) -> Finding:
    """The bot connects in time, asks for the protocol, says hello, has a name, and takes at least one invitation."""
    if SUBPROTOCOL not in rig.relay.subprotocols:
        return rig.failed(_("it does not ask for the WebSocket subprotocol {name}").format(name=SUBPROTOCOL))
    specs = [game.spec for game in rig.wanted(list(games.GAMES))]
    accepted = [spec for spec in specs if await rig.accepts(spec)]
    if not accepted:
        return rig.failed(_("it accepts no invitation to {games}").format(games=", ".join(specs)))
    text = _("ready after {seconds} s, under the name {name}")
    return Finding("ok", text.format(seconds=decimal(rig.start_s, 2), name=rig.relay.name))


async def whole_games(rig: Rig, game_id: str) -> Finding:
    """One match of a game on each seat."""
    game = await rig.first_accepted([game_id])
    if game is None or game.id != game_id:
        return _skipped(rig, game_id)
    return await _one_by_one(rig, [rig.wish(game, seat) for seat in Seat])


async def forced_passes(rig: Rig) -> Finding:
    """A game in which a seat may have to pass, on small boards, until each side has had to."""
    game = await rig.first_accepted(PASSING)
    if game is None or not game.profile.passes:
        return Finding("skipped", _("it plays no game in which a seat may have to pass"))
    steers = (toward_passes_of_the_bot, toward_own_passes)
    matches: list[CheckedMatch] = []
    for _round in range(ROUNDS):
        wishes = [rig.wish(game, seat, steer) for seat in Seat for steer in steers]
        if (failure := await _play_each(rig, wishes, matches)) is not None:
            return failure
        own = sum(match.passes(match.seat) for match in matches)
        others = sum(match.passes(match.seat.other) for match in matches)
        if own and others:
            text = _("{own} of its own, {others} of its opponent in {count} games")
            return Finding("ok", text.format(own=own, others=others, count=len(matches)))
    return Finding("skipped", _("in {count} games it did not come to a pass on each side").format(count=len(matches)))


async def last_move(rig: Rig) -> Finding:
    """Games that the bot itself ends with its move, on a board as full as can be, and further games after that."""
    game = await rig.first_accepted(sorted(SHORT, key=_length))
    if game is None:
        return _skipped(rig, SHORT[0])
    matches: list[CheckedMatch] = []
    for _round in range(ROUNDS):
        wishes = [rig.wish(game, seat, toward_a_long_game) for seat in Seat]
        if (failure := await _play_each(rig, wishes, matches)) is not None:
            return failure
        if any(match.bot_moved_last for match in matches[:-2]):
            count = sum(match.bot_moved_last for match in matches)
            return Finding(
                "ok", _("it ended {count} of {all} games, and went on").format(count=count, all=len(matches))
            )
    return Finding("skipped", _("it ended none of {count} games").format(count=len(matches)))


async def at_once(rig: Rig) -> Finding:
    """Several matches at once, of several games."""
    accepted = [game for game in rig.wanted(SHORT) if await rig.accepts(game.spec)]
    if not accepted:
        return _skipped(rig, SHORT[0])
    wishes = [
        rig.wish(accepted[number % len(accepted)], Seat(number % 2 + 1), times=AT_ONCE) for number in range(AT_ONCE)
    ]
    matches = await rig.play(wishes)
    return _failure(rig, matches) or Finding("ok", summary(matches))


async def time_use(rig: Rig) -> Finding:
    """A long game on each seat, one after the other, in which the bot must not run out of time. Tells its use."""
    game = await rig.first_accepted(LONGEST)
    if game is None:
        return _skipped(rig, LONGEST[0])
    matches: list[CheckedMatch] = []
    if (failure := await _play_each(rig, [rig.wish(game, seat) for seat in Seat], matches)) is not None:
        return failure
    times = [ms for match in matches for ms in match.thinking_ms]
    left = min((ms for match in matches for ms in match.left_ms), default=0)
    text = _("a move {mean} s, the slowest {most} s; {left} s left")
    return Finding(
        "ok",
        text.format(
            mean=decimal(sum(times) / max(1, len(times)) / 1000, 3),
            most=decimal(max(times, default=0) / 1000, 3),
            left=decimal(left / 1000, 1),
        ),
    )


async def reconnect(rig: Rig) -> Finding:
    """Cuts the connection while the bot thinks, before its move arrives, and before the answer to its move arrives."""
    game = await rig.first_accepted(PLAIN)
    if game is None:
        return _skipped(rig, PLAIN[0])
    cutting = CutThrice()
    matches: list[CheckedMatch] = []
    wish = rig.wish(game, Seat.FIRST, toward_a_long_game)
    if (failure := await _play_each(rig, [wish], matches, lambda: cutting)) is not None:
        return failure
    if cutting.cuts < CUTS:
        return rig.failed(_("the match was over after {count} of 3 cuts").format(count=cutting.cuts), matches[0])
    longest = decimal(longest_absence_s(rig.relay.log), 2)
    return Finding("ok", _("it came back 3 times, after at most {seconds} s").format(seconds=longest))


async def interfered(rig: Rig, make: Callable[[], Interference]) -> Finding:
    """One match on each seat while the relay makes trouble."""
    game = await rig.first_accepted(PLAIN)
    if game is None:
        return _skipped(rig, PLAIN[0])
    return await _one_by_one(rig, [rig.wish(game, seat) for seat in Seat], make)


async def talk(rig: Rig) -> Finding:
    """The opponent chats, offers draws and asks for takebacks; the bot may accept or decline, and plays on."""
    game = await rig.first_accepted(PLAIN)
    if game is None:
        return _skipped(rig, PLAIN[0])
    return await _one_by_one(rig, [rig.wish(game, seat, talkative=True) for seat in Seat])


async def sizes(rig: Rig) -> Finding:
    """Boards of other sizes than usual, each once."""
    if rig.only is not None and rig.one_board:
        return _skipped(rig, rig.only.id)
    wanted = rig.wanted(SIZES)
    accepted = [game for game in wanted if await rig.accepts(game.spec)]
    if not accepted:
        return Finding("skipped", _("it plays on no board of another size"))
    wishes = [rig.wish(game, Seat(number % 2 + 1)) for number, game in enumerate(accepted)]
    if (failure := await _play_each(rig, wishes, [])) is not None:
        return failure
    return Finding("ok", _("{accepted} of {all} boards").format(accepted=len(accepted), all=len(wanted)))


async def legal_moves(rig: Rig) -> Finding:
    """Short games of all kinds: each move is legal, and nothing that the bot says is refused."""
    accepted = [game for game in rig.wanted(SHORT) if await rig.accepts(game.spec)]
    if not accepted:
        return _skipped(rig, SHORT[0])
    wishes = [rig.wish(game, seat, wander, times=len(accepted)) for game in accepted for seat in Seat]
    matches = await rig.play(wishes)
    if (failure := _failure(rig, matches)) is not None:
        return failure
    count = sum(match.bot_moves for match in matches)
    return Finding("ok", ngettext("{count} move, legal", "{count} moves, all legal", count).format(count=count))


async def leaves(rig: Rig) -> Finding:
    """When it is asked to stop (SIGTERM), the bot leaves in time, and leaves no process behind."""
    if sys.platform == "win32":
        return Finding("skipped", _("this system can't ask a program to leave"))
    took = await rig.ask_to_leave()
    if took is None:
        return rig.failed(_("it was still there {seconds:g} s after SIGTERM").format(seconds=rig.patience.leave_s))
    if rig.left_behind():
        return rig.failed(_("it left, but processes that it had started stayed"))
    return Finding("ok", _("it left {seconds} s after it was asked to").format(seconds=decimal(took, 2)))


async def _play_each(
    rig: Rig, wishes: Sequence[Wish], matches: list[CheckedMatch], make: Callable[[], Interference] = Faithful
) -> Finding | None:
    """Plays one match after the other and adds it to `matches`; the failure at the first fault."""
    for wish in wishes:
        played = await rig.play([wish], make())
        matches += played
        if (failure := _failure(rig, played)) is not None:
            return failure
    return None


async def _one_by_one(rig: Rig, wishes: Sequence[Wish], make: Callable[[], Interference] = Faithful) -> Finding:
    """Plays one match after the other; how much that was, or the failure at the first fault."""
    matches: list[CheckedMatch] = []
    return await _play_each(rig, wishes, matches, make) or Finding("ok", summary(matches))


def _failure(rig: Rig, matches: Sequence[CheckedMatch]) -> Finding | None:
    fault = first_fault(matches, list(rig.relay.log))
    return None if fault is None else rig.failed(fault.text, fault.played)


def _skipped(rig: Rig, game: str) -> Finding:
    if rig.only is not None and rig.only.id != game.partition(":")[0]:
        return Finding("skipped", _("only {game} is checked").format(game=game_title(rig.only)))
    return Finding("skipped", _("it does not play {game}").format(game=title_of(game)))


@dataclass(frozen=True, slots=True)
class CheckEntry:
    """A check in the table: the title that people read, what it asks for, and the check itself.

    quick: whether it belongs to the quick part, which tells within seconds whether a bot is fit for a match.
    """

    title: str
    asks: str
    run: Check
    quick: bool = False


CHECKS: Mapping[str, CheckEntry] = {
    "start": CheckEntry(N_("start-up"), N_("It connects, says hello and takes invitations."), start, quick=True),
    **{
        game: CheckEntry(
            game, N_("It plays a whole game on each side."), partial(whole_games, game_id=game), quick=True
        )
        for game in games.GAMES
    },
    "passes": CheckEntry(
        N_("forced passes"), N_("It copes with a pass of its own, and moves twice when others pass."), forced_passes
    ),
    "last-move": CheckEntry(
        N_("last move"), N_("It ends a game with a move of its own, and plays another one."), last_move
    ),
    "sizes": CheckEntry(N_("board sizes"), N_("It plays on boards of other sizes, or declines the invitation."), sizes),
    "at-once": CheckEntry(N_("several at once"), N_("It plays ten matches at the same time."), at_once),
    "legal": CheckEntry(
        N_("legal moves"),
        N_("Each of its moves is legal, and nothing that it says is refused."),
        legal_moves,
        quick=True,
    ),
    "time": CheckEntry(N_("time use"), N_("Its time never runs out in a long game."), time_use),
    "reconnect": CheckEntry(
        N_("reconnect"), N_("It comes back with its token when the connection is lost, and plays on."), reconnect
    ),
    "duplicates": CheckEntry(
        N_("duplicates"), N_("What it is told twice does not disturb it."), partial(interfered, make=Twice)
    ),
    "late": CheckEntry(
        N_("late messages"),
        N_("What is told of a turn that is over does not disturb it."),
        partial(interfered, make=Stale),
    ),
    "newer": CheckEntry(
        N_("newer server"), N_("It ignores fields that it does not know."), partial(interfered, make=Newer)
    ),
    "talk": CheckEntry(N_("talk"), N_("Chat and offers of its opponent don't disturb it."), talk),
    "stop": CheckEntry(N_("leaving"), N_("It leaves when it is asked to."), leaves),
}
"""Name -> check, in the order in which they run."""


QUICK = tuple(name for name, entry in CHECKS.items() if entry.quick)
"""The checks of the quick part."""

_ENOUGH_FAILED = 2


def is_hopeless(findings: Mapping[str, Finding], names: Sequence[str]) -> bool:
    """Whether the bot has finished no game, and failed in several or in all that it plays: the rest would say the same.

    names: the checks that are to run.
    """
    played = [findings[name].status for name in findings if name in games.GAMES]
    failed = played.count("failed")
    is_last = not any(name in games.GAMES and name not in findings for name in names)
    return "ok" not in played and failed >= (1 if is_last else _ENOUGH_FAILED)


async def run(rig: Rig, names: Sequence[str], *, stops: bool = True) -> AsyncIterator[tuple[str, Finding]]:
    """Runs these checks and yields their findings; ends early if the bot does not start, and with `stops` also if it is
    hopeless.

    Raises ChildError, ClientError.
    """
    findings: dict[str, Finding] = {}
    for name in names:
        if stops and is_hopeless(findings, names):
            return
        not_ready = await rig.ready()
        if not_ready is not None:
            yield name, not_ready
            return
        try:
            finding = await CHECKS[name].run(rig)
        except BotGone as gone:
            finding = rig.failed(str(gone))
        findings[name] = finding
        yield name, finding
