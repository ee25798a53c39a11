/** What arrives while a control is pressed waits: it would be drawn anew, or move from below the pointer, and the click be lost. */

const CONTROLS = "a, button, label, summary";
/** A press that lasts longer holds nothing up. */
const LONGEST_MS = 1000;
/** The click of a finger comes some time after it was lifted. */
const CLICK_MS = 100;

export class Press {
  constructor() {
    /** @type {(() => void)[]} what waits, in its order */
    this.waiting = [];
    this.isHeld = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} when it ends */
    this.timer = undefined;
    const hear = (/** @type {string[]} */ kinds, /** @type {(event: any) => void} */ run) => {
      for (const kind of kinds) window.addEventListener(kind, run, true);
    };
    hear(["pointerdown", "keydown"], (event) => this.begin(event));
    hear(["pointerup", "keyup", "pointercancel", "dragend"], () => this.endAfter(CLICK_MS));
    hear(["click"], () => this.endAfter(0)); // once it has been heard
  }

  /** @param {PointerEvent | KeyboardEvent} event */
  begin(event) {
    const isKey = "key" in event && (event.key !== " " || event.repeat);
    if (isKey || !(event.target instanceof Element) || !event.target.closest(CONTROLS)) return;
    this.isHeld = true;
    this.endAfter(LONGEST_MS);
  }

  /** @param {number} ms */
  endAfter(ms) {
    clearTimeout(this.timer);
    if (this.isHeld) this.timer = setTimeout(() => this.end(), ms);
  }

  end() {
    this.isHeld = false;
    for (const run of this.waiting.splice(0)) run();
  }

  /** Does something at once, or when nothing is pressed any more. @param {() => void} run */
  after(run) {
    if (this.isHeld) this.waiting.push(run);
    else run();
  }
}
