/** What the pages of pupils, of the desk and of the wall share. */

import { h, replace } from "../dom.js";
import { pointsText } from "../scores.js";

/** A league in a sentence. @param {School.League} league @param {import("../main.js").Page} page */
export function leagueText(league, page) {
  const { t } = page;
  const what = `${t(league.what === "people" ? "leagueOfPeople" : "leagueOfBots")} · ${page.titleOf(league.game)}${league.graded ? ` · ${t("isGraded")}` : ""}`;
  if (league.frozen) return `${what}. ${t(league.state === "finished" ? "leagueEnded" : league.state === "halted" ? "halted" : "leagueGoesOn")}`;
  const played = league.played ?? 0;
  const games = league.planned ? t("leagueRuns", { count: played, of: league.planned }) : t("leagueEndless", { count: played });
  const state = { open: t("leagueSoon"), running: games, halted: `${t("halted")} ${games}`, finished: t("leagueOver", { count: played }) }[league.state];
  return `${what}. ${state}`;
}

/** What teams have made; null without teams. @param {School.League} league @param {import("../main.js").Page} page */
export function teamsOf(league, page) {
  const teams = league.teams ?? [];
  if (!teams.length) return null;
  return h("table.scores.teams", h("caption", page.t("teams")), h("tbody", ...teams.map(([name, points]) =>
    h("tr", h("th", { scope: "row", class: "left" }, String(name)), h("td.points", pointsText(Number(points), page.language))))));
}

/** Puts what asks at the head of a view, or takes it away; who types there is led on by keys alone. @param {Element} place @param {HTMLElement | null} asks */
export function putGate(place, asks) {
  const wasThere = place.contains(document.activeElement);
  replace(place, asks);
  // The view itself may not stand in the page yet.
  setTimeout(() => {
    if (!wasThere && document.activeElement !== document.body) return;
    const next = asks ? place.querySelector("input, button") : wasThere ? document.querySelector("main") : null;
    /** @type {HTMLElement | null} */ (next)?.focus();
  });
}
