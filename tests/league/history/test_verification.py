"""What `league verify` sees of a log: cut, thinned out, written anew, signed by somebody else."""

import functools
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitre
from league.history.log import NAME, Log, LogEntry, lines, links, load
from league.history.season import begin
from league.history.signature import NAME as SIGNATURE
from league.history.signature import SigningKey, check, open_key, save
from league.history.verification import Audit, audit
from league.runner import LeagueRunner
from tests.league.fakes import CoinExecutor, league


@functools.cache
def whole(format_: str = "round-robin") -> tuple[LogEntry, ...]:
    """The log of a league of five, played to its end."""
    import asyncio
    import tempfile

    rounds = 4 if format_ == "ladder" else None
    with tempfile.TemporaryDirectory() as folder, Log(Path(folder)) as log:
        log.append(begin(league(5, format=format_, rounds=rounds, openings="random:plies=2"), [], Path(folder)))
        asyncio.run(LeagueRunner(log, CoinExecutor()).run())
        return tuple(log.entries)


@functools.cache
def key(number: int = 1) -> SigningKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return SigningKey(Ed25519PrivateKey.from_private_bytes(bytes([number] * 32)))


def is_whole(found: Audit) -> bool:
    return found.finished and not found.problems and not found.missing


FORMATS = ("round-robin", "gauntlet", "swiss", "knockout", "ladder")


@pytest.mark.parametrize("format_", FORMATS)
def test_a_league_that_was_played_is_whole(format_: str) -> None:
    found = audit(whole(format_))
    assert is_whole(found)
    assert found.planned == found.games > 0
    assert not found.on_word
    assert not found.decided
    assert found.forfeits == 0


class TestWrittenAnew:
    """Logs whose links are right, since somebody has made them anew."""

    @given(st.sampled_from(FORMATS), st.data())
    @settings(max_examples=60, deadline=None)
    def test_lines_that_are_left_out_are_missed(self, format_: str, data: st.DataObject) -> None:
        entries = whole(format_)
        gone = data.draw(st.sets(st.integers(0, len(entries) - 1), min_size=1))
        assert not is_whole(audit([entry for number, entry in enumerate(entries) if number not in gone]))

    @given(st.sampled_from(FORMATS), st.data())
    @settings(max_examples=40, deadline=None)
    def test_a_log_that_is_cut_is_not_finished_and_says_how_many_games_are_missing(
        self, format_: str, data: st.DataObject
    ) -> None:
        entries = whole(format_)
        cut = data.draw(st.integers(1, len(entries) - 1))
        found = audit(entries[:cut])
        assert found.problems == []
        assert not found.finished
        games = sum(len(entry.data["games"]) for entry in entries[:cut] if entry.kind == "played")
        assert found.games == games
        assert found.planned is not None
        assert len(found.missing) * 2 <= found.planned - games

    def test_a_pairing_that_is_left_out_is_named(self) -> None:
        entries = list(whole())
        played = [number for number, entry in enumerate(entries) if entry.kind == "played"]
        lost = entries.pop(played[3])
        found = audit(entries)
        assert [job.pairing for job in found.missing] == [lost.data["games"][0]["pairing"]]
        assert (found.planned, found.games) == (20, 18)
        assert len(found.problems) == 1
        assert f"line {len(entries)}: " in found.problems[0]

    def test_one_game_of_a_pairing_that_is_left_out_is_a_problem(self) -> None:
        entries = list(whole())
        at = next(number for number, entry in enumerate(entries) if entry.kind == "played")
        entries[at] = LogEntry("played", {"games": entries[at].data["games"][:1]})
        assert audit(entries).problems

    def test_a_pairing_that_was_never_planned_is_a_problem(self) -> None:
        entries = list(whole())
        at = next(number for number, entry in enumerate(entries) if entry.kind == "planned")
        pairings = entries[at].data["pairings"]
        entries[at] = LogEntry("planned", {**entries[at].data, "pairings": pairings[1:]})
        gone = pairings[0]["id"]
        rest = [one for one in entries if one.kind != "played" or one.data["games"][0]["pairing"] != gone]
        assert audit(rest).problems

    def test_whoever_leaves_excuses_games_and_that_is_said(self) -> None:
        entries = [entry for entry in whole() if "Ada" not in str(entry.data.get("games", ""))]
        entries.insert(-1, LogEntry("left", {"name": "Ada", "reason": "withdrawn"}))
        found = audit(entries)
        assert is_whole(found)
        assert (found.forfeits, found.decided) == (8, {"left": 1})

    def test_what_the_moves_do_not_decide_is_counted_apart(self) -> None:
        entries = list(whole())
        at = next(number for number, entry in enumerate(entries) if entry.kind == "played")
        one, two = entries[at].data["games"]
        short = " ".join(one["moves"].split()[:-2])
        entries[at] = LogEntry("played", {"games": [{**one, "moves": short, "reason": "resign", "winner": 1}, two]})
        found = audit(entries)
        assert found.problems == []
        assert found.on_word == {"resign": 1}

    @given(st.data())
    @settings(max_examples=150, deadline=None)
    @pytest.mark.slow
    def test_nonsense_is_a_sentence_and_never_an_error_of_ours(self, data: st.DataObject) -> None:
        entries = list(whole())
        at = data.draw(st.integers(0, len(entries) - 1))
        values: st.SearchStrategy[object] = st.one_of(
            st.none(), st.integers(), st.text(), st.lists(st.integers(), max_size=2), st.just({})
        )
        field = data.draw(st.sampled_from([*entries[at].data, "kind"]))
        value = data.draw(values)
        changed = {**entries[at].data, field: value}
        entries[at] = LogEntry(str(value), entries[at].data) if field == "kind" else LogEntry(entries[at].kind, changed)
        found = audit(entries)
        assert all(found.problems)


def disturbed(rng: random.Random, entries: Sequence[LogEntry]) -> list[LogEntry]:
    """The log with lines removed, put elsewhere, doubled, changed, added, or with its end cut off."""
    found = list(entries)
    at = rng.randrange(len(found))
    match rng.choice(("remove", "move", "double", "change", "add", "cut")):
        case "remove":
            del found[at]
        case "move":
            found.insert(rng.choice([place for place in range(len(found)) if place != at]), found.pop(at))
        case "double":
            found.insert(at, found[at])
        case "change":
            found[at] = LogEntry(found[at].kind, {**found[at].data, "seconds": 0})
        case "add":
            found.append(LogEntry("kicked", {"name": "Ada", "annul": True}))
        case _:
            del found[at:]
    return found


class TestSigned:
    @given(st.integers(0, 10_000))
    @settings(max_examples=80, deadline=None)
    def test_whatever_is_done_to_a_log_whoever_has_key_or_link_sees_it(self, seed: int) -> None:
        entries = whole()
        signature = key().sign(entries)
        assert check(entries, signature, key().public) == []
        changed = disturbed(random.Random(seed), entries)
        assert check(changed, signature, key().public) != []
        assert links(changed)[-1:] != links(entries)[-1:]

    def test_each_way_to_tamper_has_its_sentence(self) -> None:
        entries, public = whole(), key().public
        signature = key().sign(entries)
        other = key(2).sign(entries)
        forged = replace(other, key=public)
        anew = [LogEntry("begun", {**entries[0].data, "home": "/elsewhere"}), *entries[1:]]
        renamed = [LogEntry("begun", {**entries[0].data, "league": {"name": "Mine"}}), *entries[1:]]
        for log, signed, said in (
            (entries, None, "no signature"),
            (entries, other, f"by another key: {other.key}"),
            (entries, forged, "not what this key gives"),
            (entries[:-1], signature, "its end was cut off"),
            (anew, signature, "written anew"),
            (renamed, signature, "of another league: Test"),
            ([*entries, LogEntry("kicked", {"name": "Ada", "annul": False})], signature, f"first {len(entries)} of"),
        ):
            (problem,) = check(log, signed, public)
            assert said in problem

    @pytest.mark.parametrize("field", ["league", "lines", "link", "signature"])
    def test_no_part_of_a_signature_can_be_changed(self, field: str) -> None:
        entries = whole()
        signature = key().sign(entries)
        value = getattr(signature, field)
        fields: dict[str, Any] = {field: value - 1 if isinstance(value, int) else "A" + str(value)[1:] + "é"}
        assert check(entries, replace(signature, **fields), key().public) != []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "l"
    path.mkdir()
    write(path, whole())
    return path


def write(folder: Path, entries: Sequence[LogEntry]) -> None:
    (folder / NAME).write_text("".join(lines(entries)), encoding="utf-8")


class TestCommand:
    def test_exit_codes_links_and_signatures(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        def verify(*options: str) -> tuple[int, str]:
            code = arbitre.main(["--lang", "en", "league", "verify", str(folder), *options])
            return code, " ".join(capsys.readouterr().out.split())

        entries = whole()
        last = links(entries)[-1]
        code, said = verify()
        assert (code, last in said) == (0, True)
        assert "20 games: all is as it should be." in said
        assert "Not covered: how long" in said
        assert verify("--link", last.upper())[0] == 0
        assert verify("--link", "abc")[0] == 2
        assert "1 line came after it: finished 1." in verify("--link", links(entries)[-2])[1]
        assert verify("--key", key().public)[0] == 1
        save(key().sign(entries), folder)
        code, said = verify("--key", key().public)
        assert (code, "Signed by this key" in said) == (0, True)
        write(folder, entries[:-3])
        code, said = verify()
        assert (code, "4 of 20 games are missing" in said) == (3, True)
        assert "its end was cut off" in said  # whoever signed it, it was longer
        code, said = verify("--link", last)
        assert (code, "No line has the link" in said) == (1, True)
        code, said = verify("--key", key().public)
        assert (code, "its end was cut off" in said) == (1, True)
        (folder / SIGNATURE).write_text("{", encoding="utf-8")
        assert verify("--key", key().public)[0] == 1

    def test_no_line_is_wider_than_80_columns_in_any_language(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        entries = list(whole())
        entries.insert(-1, LogEntry("kicked", {"name": "Ada", "annul": False}))
        save(key().sign(entries[:4]), folder)
        for log in (entries, entries[:-4], [*entries[:3], *entries[4:]]):
            write(folder, log)
            for language in ("en", "fr"):
                for options in ((), ("--key", key().public), ("--key", key(2).public, "--link", "0" * 64)):
                    arbitre.main(["--lang", language, "league", "verify", str(folder), *options])
                    said = capsys.readouterr().out
                    assert max(map(len, said.splitlines())) <= 80, said

    def test_what_stands_in_a_log_does_not_reach_the_terminal(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(folder, [*whole()[:-1], LogEntry("\x1b[2J\x1b]0;owned\x07", {})])
        assert arbitre.main(["--lang", "en", "league", "verify", str(folder)]) == 1
        assert "\x1b" not in capsys.readouterr().out

    def test_a_key_is_made_once_for_its_owner_alone(self, tmp_path: Path, folder: Path) -> None:
        path = tmp_path / "key"
        public = open_key(path).public
        assert path.stat().st_mode & 0o777 == 0o600
        assert open_key(path).public == public
        assert arbitre.main(["league", "sign", str(folder), str(path)]) == 0
        (tmp_path / "public").write_text(public + "\n", encoding="utf-8")
        assert arbitre.main(["league", "verify", str(folder), "--key", str(tmp_path / "public")]) == 0
        assert json.loads((folder / SIGNATURE).read_text(encoding="utf-8"))["lines"] == len(load(folder))

    def test_what_is_no_key_is_one_sentence_and_is_left_alone(
        self, tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        toml = tmp_path / "league.toml"
        toml.write_text("[league]", encoding="utf-8")
        private = tmp_path / "key"
        public = open_key(private).public
        for words, said in (
            (("sign", str(folder), str(toml)), "is no key that"),
            (("sign", str(folder), str(folder / "key")), "Keep the key elsewhere"),
            (("sign", str(folder), str(tmp_path / "none" / "key")), "can't be used"),
            (("verify", str(folder), "--key", "abc"), "is no public key"),
            (("verify", str(folder), "--key", str(toml)), "is no public key"),
            (("verify", str(folder), "--key", "ed25519:abc"), "is no public key"),
            (("verify", str(folder), "--key", str(private)), public),
        ):
            code = arbitre.main(["--lang", "en", "league", *words])
            assert code == (2 if words[0] == "verify" or "elsewhere" in said else 1), words
            complained = capsys.readouterr().err
            assert said in complained, (words, complained)
            assert "Traceback" not in complained
        assert toml.read_text(encoding="utf-8") == "[league]"

    def test_without_the_library_a_sentence_says_how_to_get_it(
        self, tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("league.history.signature.find_spec", lambda _name: None)
        for words in (("sign", str(folder), str(tmp_path / "key")), ("verify", str(folder), "--key", key().public)):
            assert arbitre.main(["--lang", "en", "league", *words]) in (1, 2)
            assert "pip install cryptography" in capsys.readouterr().err
        assert not (tmp_path / "key").exists()
