/**
 * Brings what comes of a click into sight: beside the editor what the file prints; where all is in one column the board,
 * and an error before the board. It does so until the reader goes on by themselves.
 */

/** One column, as studio.css has it. */
const NARROW = "(max-width: 60rem)";
/** What readers do who look elsewhere. */
const THEIRS = ["wheel", "touchmove", "keydown", "pointerdown"];

export class Sight {
  /** @param {Element} printed where the file's prints and errors stand @param {Element} place where its game is shown */
  constructor(printed, place) {
    this.printed = printed;
    this.place = place;
    this.waits = false;
    /** @type {Element} what is held in sight */
    this.target = printed;
    /** @type {Element | null} the board that was brought into sight last */
    this.board = null;
    this.stops = () => void (this.waits = false);
    for (const name of THEIRS) window.addEventListener(name, this.stops, { passive: true });
  }

  /** The reader has asked for something. */
  begin() {
    this.target = this.printed;
    setTimeout(() => (this.waits = true)); // after the key that asked, which is theirs
  }

  /** Something new was printed. @param {boolean} isError */
  said(isError) {
    if (isError) this.target = this.printed;
    if (isError || this.board || !isNarrow()) this.reveal();
  }

  /** A game is shown, or has gone on. */
  drawn() {
    const board = this.place.querySelector(".board .cell")?.closest(".table");
    if (!board || board === this.board || !isNarrow()) return;
    this.board = board;
    this.target = board;
    this.reveal();
  }

  reveal() {
    if (!this.waits) return;
    const isCalm = document.documentElement.dataset.animation === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.target.scrollIntoView({ block: "nearest", behavior: isCalm ? "auto" : "smooth" });
  }

  close() {
    for (const name of THEIRS) window.removeEventListener(name, this.stops);
  }
}

/** Whether what was asked for stands below what it was asked with. */
const isNarrow = () => matchMedia(NARROW).matches;
