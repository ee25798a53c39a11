/** What clocks show. Pure, but for the moment that is asked for. */

/**
 * Time left: "1:02:03", "4:58", and with tenths under ten seconds "9.8".
 * @param {number} ms
 * @param {string} language
 */
export function clockText(ms, language) {
  if (ms < 10_000) {
    const tenths = (Math.floor(Math.max(0, ms) / 100) / 10).toFixed(1);
    return language === "fr" ? tenths.replace(".", ",") : tenths;
  }
  const seconds = Math.floor(ms / 1000) % 60;
  const minutes = Math.floor(ms / 60_000) % 60;
  const hours = Math.floor(ms / 3_600_000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** @typedef {{initial_ms?: number, increment_ms?: number, move_ms?: number}} SeatClock */

/**
 * The time control of one seat: with time odds seat 2 has another one.
 * @param {(SeatClock & {second?: SeatClock | null}) | null | undefined} rule
 * @param {number | null | undefined} seat
 * @returns {SeatClock | null}
 */
export function seatRule(rule, seat) {
  return (seat === 2 && rule?.second) || rule || null;
}

/**
 * When to warn, once: under min(60 s, max(10 s, an eighth of the time)).
 * @param {{initial_ms?: number, move_ms?: number} | null | undefined} rule
 */
export function warnUnder(rule) {
  const whole = rule?.initial_ms ?? 0;
  return Math.min(60_000, Math.max(10_000, whole / 8));
}

/**
 * "5 min + 3 s", "10 s a move", both with time odds, and what stands for no clock.
 * @param {(SeatClock & {second?: SeatClock | null}) | null | undefined} rule
 * @param {App.Speaker} t
 * @returns {string}
 */
export function ruleText(rule, t) {
  if (!rule) return t("noClock");
  if (rule.second) return [{ ...rule, second: null }, rule.second].map((each) => ruleText(each, t)).join(", ");
  if (rule.move_ms) return t("perMove", { time: span(rule.move_ms) });
  const increment = rule.increment_ms ? ` + ${span(rule.increment_ms)}` : "";
  return `${span(rule.initial_ms ?? 0)}${increment}`;
}

/** @param {number} ms */
export function span(ms) {
  return ms >= 60_000 && ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}

/** Says once that little time is left, and again only after it has clearly recovered. */
export class Alarm {
  constructor() {
    this.isArmed = true;
  }

  /**
   * Whether to warn now.
   * @param {number} ms what is left
   * @param {number} under from where on it is little
   */
  rings(ms, under) {
    if (ms >= under * 1.5) this.isArmed = true;
    if (!this.isArmed || ms >= under) return false;
    this.isArmed = false;
    return true;
  }
}
