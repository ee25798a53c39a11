/** What the pages of pupils, of the desk and of the wall share. */

import { form, h, input } from "../dom.js";
import { pointsText } from "../scores.js";

/** A league in a sentence. @param {School.League} league @param {import("../main.js").Page} page */
export function leagueText(league, page) {
  const { t } = page;
  const what = `${t(league.what === "people" ? "leagueOfPeople" : "leagueOfBots")} · ${page.titleOf(league.game)}${league.graded ? ` · ${t("isGraded")}` : ""}`;
  if (league.frozen) return `${what}. ${t(league.state === "finished" ? "leagueEnded" : league.state === "halted" ? "halted" : "leagueGoesOn")}`;
  const played = league.played ?? 0;
  const games = league.planned ? t("leagueRuns", { count: played, of: league.planned }) : t("leagueEndless", { count: played });
  const state = { open: t("leagueSoon"), running: games, halted: `${t("halted")} ${games}`, finished: t("leagueDone", { count: played }) }[league.state];
  return `${what}. ${state}`;
}

/** What teams have made; null without teams. @param {School.League} league @param {import("../main.js").Page} page */
export function teamsOf(league, page) {
  const teams = league.teams ?? [];
  if (!teams.length) return null;
  return h("table.scores.teams", h("caption", page.t("teams")), h("tbody", ...teams.map(([name, points]) =>
    h("tr", h("th", { scope: "row", class: "left" }, String(name)), h("td.points", pointsText(Number(points), page.language))))));
}

/** Where pupils find the class, as people read it. @param {{address?: string}} told @param {string} code */
export function addressOf({ address }, code) {
  return (address || `${location.origin}/class/${code}`).replace(/^https?:\/\//, "").replace(/#$/, "");
}

/** What asks for the secret, and says why there is nothing to see yet. @param {import("./teacher.js").Teacher} me */
export function gate(me) {
  const { t } = me.page;
  const field = input(t("secret"), { type: "password", name: "secret", autocomplete: "off", size: 24 });
  return h("div.card.gate", h("p", t("secretHelp")), form("enter-desk", t("enter"), () => field.value.trim() && me.show(field.value.trim()), field));
}
