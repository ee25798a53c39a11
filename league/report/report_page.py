"""The report of a league as one page that needs nothing else: table, ratings, crosstable, and every game replayable.

`league.report.page` holds its markup, style and script; here are its figures. Pure, except for the language.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from bots.search.analysis import CHANGES, Analysis, Step, prospect
from games.base import Game, Look, Position, Seat
from games.frame import arrow_of, frame_of, signs_of
from league.history.season import KICKED, SUSPENDED, Season
from league.played import Played
from league.report import table_text
from league.report.duel_text import end_of
from league.report.score_text import points
from league.statistics.standings import BUCHHOLZ, Row, Standings
from locales import N_, _, decimal, language, ngettext
from machine.modules import full_name
from terminal.phrases import game_title

_FORMATS = {
    "round-robin": N_("round robin"),
    "gauntlet": N_("gauntlet"),
    "swiss": N_("Swiss"),
    "knockout": N_("knockout"),
    "ladder": N_("ladder"),
}
Gradings = Mapping[tuple[str, int], Analysis]
"""By pairing and number of the game; games that were not analysed are missing."""


def page(season: Season, gradings: Gradings) -> str:
    """The whole page."""
    games = Template(_asset("games.html")).substitute(
        script=_asset("report.js"),
        data=_json(_data(season, gradings)),
        t_games=escape(_("Games")),
        t_bot=escape(_("Bot")),
        t_all=escape(_("all")),
        t_faults=escape(_("with a fault")),
        t_thrown=escape(_("with a turning point")),
        t_begin=escape(_("First position")),
        t_back=escape(_("Back (left arrow)")),
        t_forth=escape(_("Forward (right arrow)")),
        t_end=escape(_("Last position")),
    )
    return tables_page(season, gradings, games)


def tables_page(season: Season, gradings: Gradings | None = None, games: str = "") -> str:
    """The page with the tables and the ratings, then `games`, a piece of HTML."""
    table = season.standings()
    return Template(_asset("report.html")).substitute(
        lang=language(),
        title=escape(season.league.name),
        facts=escape(_facts(season)),
        style=_asset("report.css"),
        t_table=escape(_("Table")),
        t_ratings=escape(_("Ratings, with 95 % intervals")),
        t_cross=escape(_("Points against each other")),
        t_superior=escape(_("How likely each is stronger than the others, in %")),
        t_note=escape(_note(gradings or {})),
        table=_table(season, table, gradings or {}),
        remarks="".join(f"<p>{escape(remark)}</p>" for remark in table_text.remarks(season, table)),
        plot=_plot(table),
        cross=_cross(table),
        superior=_superior(table),
        games=games,
    )


def _note(gradings: Gradings) -> str:
    """Explains the columns of the table whose headings don't do so themselves."""
    text = _("As first, as second: games won - drawn - lost.")
    if gradings:
        text += " " + _("Accuracy: the share of a bot's moves that gave nothing away, where a solver is exact.")
    return text


def _asset(name: str) -> str:
    return files(full_name("league.report.page")).joinpath(name).read_text(encoding="utf-8")


def _json(data: object) -> str:
    """JSON that can stand in a page: nothing in it ends the element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _facts(season: Season) -> str:
    league = season.league
    count = len(season.games)
    parts = [
        game_title(league.rules),
        _(_FORMATS[league.format]),
        ngettext("{count} game", "{count} games", count).format(count=count),
        _("clock {clock}").format(clock=league.clocks(season.bots.values())),
        _("openings {openings}").format(openings=league.openings),
        _("seed {seed}").format(seed=league.seed),
    ]
    if not season.finished:
        parts.append(_("not finished"))
    return " · ".join(parts)


# ---------------------------------------------------------------------------------------------------------- the tables


def _table(season: Season, standings: Standings, gradings: Gradings) -> str:
    accuracy = _accuracies(season, gradings)
    heads = ["#", _("bot"), _("rating"), "±", _("points")]
    if any(BUCHHOLZ in row.tie_breaks for row in standings.rows):
        heads.append(_("Buchholz"))
    heads += [_("games"), _("as first"), _("as second"), _("score")]
    if accuracy:
        heads.append(_("accuracy"))
    heads += [_("faults"), *([] if season.league.time is None else [_("time")])]
    lines = [_cells("th", heads)]
    lines += [_row(season, row, accuracy) for row in standings.rows]
    return f"<table>{''.join(lines)}</table>"


def _row(season: Season, row: Row, accuracy: Mapping[str, float]) -> str:
    total = row.total
    cells = [
        f'<td class="rank">{row.rank}</td>',
        f'<td class="name{" out" if season.out.get(row.name) in (SUSPENDED, KICKED) else ""}">{escape(row.name)}</td>',
        *(
            f"<td>{escape(text)}</td>"
            for text in (
                decimal(row.rating, 0) if row.is_rated else table_text.UNRATED,
                table_text.error(season, row),
                points(row.halves),
                *([table_text.buchholz(row)] if BUCHHOLZ in row.tie_breaks else []),
                str(total.games),
                table_text.results(row.as_first),
                table_text.results(row.as_second),
                f"{decimal(50 * total.halves / total.games, 1)} %" if total.games else "",
            )
        ),
    ]
    if accuracy:
        cells.append(f"<td>{f'{decimal(100 * accuracy[row.name], 0)} %' if row.name in accuracy else ''}</td>")
    cells.append(f'<td class="fault">{escape(table_text.faults(row))}</td>')
    if season.league.time is not None:
        cells.append(f"<td>{escape(table_text.duration(row.seconds))}</td>")
    return f"<tr>{''.join(cells)}</tr>"


def _accuracies(season: Season, gradings: Gradings) -> dict[str, float]:
    """For each bot, the share of its moves that gave nothing away, of all that were valued."""
    good: dict[str, list[bool]] = {}
    for game in season.games:
        analysis = gradings.get((game.pairing, game.number))
        for step in analysis.steps if analysis is not None else ():
            if step.ply >= game.opening:
                name = game.first if step.seat is Seat.FIRST else game.second
                good.setdefault(name, []).append(step.loss == 0)
    return {name: sum(steps) / len(steps) for name, steps in good.items()}


def _cells(tag: str, texts: Sequence[str]) -> str:
    cells = [f"<{tag}{' class=name' if place == 1 else ''}>{escape(text)}</{tag}>" for place, text in enumerate(texts)]
    return f"<tr>{''.join(cells)}</tr>"


def _cross(standings: Standings) -> str:
    def cell(row: Row, other: Row) -> str:
        tally = row.against.get(other.name)
        if tally is None:
            return "<td></td>"
        results = table_text.results(tally)
        title = _("{name} against {other}: {results}").format(name=row.name, other=other.name, results=results)
        return f'<td title="{escape(title)}">{points(tally.halves)}</td>'

    return _matrix(standings.rows, cell)


def _superior(standings: Standings) -> str:
    """The likelihood of superiority, the darker the surer."""

    def cell(row: Row, other: Row) -> str:
        likely = standings.ratings.los[row.name][other.name]
        title = _("{name} is stronger than {other}: {percent} %").format(
            name=row.name, other=other.name, percent=decimal(100 * likely, 1)
        )
        sure = f"--sure: {max(0.0, 2 * likely - 1):.2f}"
        return f'<td class="sure" style="{sure}" title="{escape(title)}">{_percent(likely)}</td>'

    return _matrix(standings.rows, cell)


def _percent(likely: float) -> str:
    """Whole per cents; nothing is ever quite sure."""
    if not 0.005 <= likely < 0.995:
        return "&lt;1" if likely < 0.5 else "&gt;99"
    return decimal(100 * likely, 0)


def _matrix(rows: Sequence[Row], cell: Callable[[Row, Row], str]) -> str:
    """A table with a row and a column for each bot."""
    lines = [_cells("th", ["#", "", *(str(row.rank) for row in rows)])]
    for row in rows:
        cells = ['<td class="self">·</td>' if other is row else cell(row, other) for other in rows]
        lines.append(f'<tr><td>{row.rank}</td><td class="name">{escape(row.name)}</td>{"".join(cells)}</tr>')
    return f'<table class="cross">{"".join(lines)}</table>'


# ------------------------------------------------------------------------------------------------------------ the plot

_LEFT, _RIGHT, _LINE, _WIDTH = 190, 24, 30, 880


def _plot(standings: Standings) -> str:
    """Each rating as a dot on its interval, one below the other; of who has played."""
    rows = sorted((row for row in standings.rows if row.is_rated), key=lambda row: -row.rating)
    if not rows:
        return ""
    low = min(row.rating - row.error for row in rows)
    high = max(row.rating + row.error for row in rows)
    step = next((s for s in (10, 20, 50, 100, 200, 500, 1000) if (high - low) / s <= 8), 2000)
    low, high = step * (low // step), step * -(-high // step)
    scale = (_WIDTH - _LEFT - _RIGHT) / max(high - low, 1)
    height = _LINE * len(rows) + 30

    def x(rating: float) -> str:
        return f"{_LEFT + (rating - low) * scale:.1f}"

    parts = []
    for number in range(int((high - low) / step) + 1):
        mark = low + number * step
        parts.append(f'<line class="grid" x1="{x(mark)}" x2="{x(mark)}" y1="6" y2="{height - 24}"/>')
        parts.append(f'<text class="axis" x="{x(mark)}" y="{height - 6}" text-anchor="middle">{mark:.0f}</text>')
    for place, row in enumerate(rows):
        y = _LINE * place + 22
        name = row.name if len(row.name) <= 24 else f"{row.name[:23]}…"
        parts.append(f'<text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        ends = f'x1="{x(row.rating - row.error)}" x2="{x(row.rating + row.error)}"'
        parts.append(f'<line class="bar" {ends} y1="{y}" y2="{y}"/>')
        parts.append(f'<circle class="dot" cx="{x(row.rating)}" cy="{y}" r="5"/>')
    label = escape(_("Ratings, with 95 % intervals"))
    return f'<svg class="plot" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


# ----------------------------------------------------------------------------------------------------------- the games


def _data(season: Season, gradings: Gradings) -> dict[str, Any]:
    game = season.league.rules
    start, look = game.start(), game.profile.look
    return {
        "signs": list(look.ascii_glyphs[1:]) if look.signs else None,
        "colours": look.colours._asdict(),
        "frame": asdict(frame_of(game)),
        "width": game.width,
        "height": game.height,
        "bots": [row.name for row in season.standings().rows],
        "kinds": _kinds(look),
        "start": _changes(None, start, look),
        "games": [
            _game(number, played, game, gradings.get((played.pairing, played.number)))
            for number, played in enumerate(season.games, 1)
        ],
    }


def _game(number: int, played: Played, game: Game, analysis: Analysis | None) -> dict[str, Any]:
    """A game as the page replays it.

    changes: what each move changes (`_changes`). ways: the cells of each move, unless each is the first that it
    changes; -1 follows them if a piece moves between them. scores: what both seats have before each move and at the
    end, in a game that counts.
    """
    scores = [game.start().score()]
    changes: list[list[int]] = []
    ways: list[list[int]] = []
    position, size = game.start(), game.width * game.height
    for move in played.moves:
        cells = [x + y * game.width for x, y in game.move_cells(position, move)]
        ways.append([*cells, -1] if arrow_of(game, position, move) else cells)
        following = position.play(move)
        changes.append(_changes(position, following, game.profile.look))
        scores.append(following.score())
        position = following
    turning = [] if analysis is None else [step for step in analysis.turning_points if step.ply >= played.opening]
    return {
        "title": f"{number}. {played.first} - {played.second}",
        "first": played.first,
        "second": played.second,
        "result": _result(played, game),
        "fault": played.faulty is not None,
        "opening": played.opening,
        "moves": list(played.moves),
        "changes": changes,
        **({} if ways == [[index % size for index in changed[:1]] for changed in changes] else {"ways": ways}),
        **({"scores": scores} if game.profile.look.counts else {}),
        "turns": [{"ply": step.ply, "text": _turning(step, played)} for step in turning],
        "detail": played.detail,
    }


def _result(played: Played, game: Game) -> str:
    reason = end_of(game, played)
    moves = ngettext("{count} move", "{count} moves", len(played.moves)).format(count=len(played.moves))
    result = {1: "1-0", 2: "0-1", None: "½-½"}[played.winner]
    return f"{result}, {reason}, {moves}"


def _turning(step: Step, played: Played) -> str:
    name = played.first if step.seat is Seat.FIRST else played.second
    change = _(CHANGES[prospect(step.before), prospect(step.after)])
    text = _("move {number}: {name} plays {move}, {change} (best: {best})")
    return text.format(number=step.ply + 1, name=name, move=step.move, change=change, best=" ".join(step.best[:4]))


def _kinds(look: Look) -> list[tuple[str, str]]:
    """What a cell can hold, in the order of their numbers: the style of its seat, and what is written there."""
    styles = ("", "one", "two")
    usual = ("", *(look.ascii_glyphs[1:] if look.signs else ("", "")))
    return [*zip(styles, usual, strict=True), *((styles[piece.seat or 0], piece.drawn) for piece in look.pieces)]


def _changes(before: Position | None, after: Position, look: Look) -> list[int]:
    """The cells that changed: first those that were empty, last those that are.

    Each is its index, plus the number of cells times the number of what it holds now: 0 for nothing, see `_kinds`.
    """
    numbers = {sign: number for number, sign in enumerate(("-", "X", "O", *(piece.sign for piece in look.pieces)))}
    signs = signs_of(after)
    was = "-" * len(signs) if before is None else signs_of(before)
    changed = [index for index, (old, new) in enumerate(zip(was, signs, strict=True)) if old != new]
    changed.sort(key=lambda index: 0 if was[index] == "-" else 2 if signs[index] == "-" else 1)
    return [index + len(signs) * numbers[signs[index]] for index in changed]
