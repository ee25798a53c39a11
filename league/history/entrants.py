"""Who takes part in a league, under which names. Pure.

Errors: SeasonError    an entry of a log that does not fit the league, or can't be made; a sentence for the user
"""

from league.config import ConfigError, League, LeagueBot, checked_name
from locales import _


class SeasonError(Exception):
    """An entry that does not fit the league, or can't be made; the message is a sentence for the user."""


class Entrants:
    """The bots of a league, and which bots names mean.

    bots: by name, in the order of their seeding. out: who of them does not play any more, and why. aliases: names that
    bots had before, and the names that count. barred: who was kicked, and whether the games are annulled. freed: the
    names that were given free, in that order, each with those before it.
    """

    def __init__(self, league: League) -> None:
        self.league = league
        self.bots: dict[str, LeagueBot] = {bot.name: bot for bot in league.bots}
        self.out: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self.barred: dict[str, bool] = {}
        self.freed: list[tuple[str, ...]] = []

    def called(self, name: str) -> str:
        """The name that counts now for the bot that came, or played, as `name`."""
        return self.aliases.get(name, name)

    def find(self, typed: str) -> str:
        """The name of a bot of this league, or on its roster, however it is typed; raises SeasonError."""
        names = [*self.bots, *map(self.called, self.league.roster), *self.barred]
        if typed in names:
            return typed
        for name in (*names, *self.aliases):
            if name.casefold() == typed.strip().casefold():
                return self.called(name)
        known = ", ".join(sorted(self.bots)) or "-"
        raise SeasonError(
            _("Nobody in this league is called {name}. There are: {names}").format(name=typed, names=known)
        )

    def _check_known(self, name: str) -> None:
        if name not in self.bots and name not in map(self.called, self.league.roster):
            raise SeasonError(_("Nobody in this league is called {name}.").format(name=name))

    def _check_rename(self, old: str, new: str) -> None:
        self._check_known(old)
        try:
            is_name = checked_name(new) == new
        except ConfigError as error:
            raise SeasonError(str(error)) from error
        if not is_name or new == old:
            raise SeasonError(_("{name} is no new name.").format(name=new))
        others = {*self.bots, *map(self.called, self.league.roster), *self.barred, *self.aliases} - {old}
        others -= {alias for alias, name in self.aliases.items() if name == old}
        if new.casefold() in {other.casefold() for other in others}:
            text = _("Somebody in this league is, or was, called {name}; two that are one: league merge.")
            raise SeasonError(text.format(name=new))

    def _check_free(self, name: str) -> None:
        if name not in self.barred:
            self._check_known(name)

    def _remember(self, old: str, new: str) -> None:
        """From now on the new name counts for whoever comes under the old one, or under one that the bot had before."""
        self.aliases = {alias: new if name == old else name for alias, name in self.aliases.items() if alias != new}
        self.aliases[old] = new
