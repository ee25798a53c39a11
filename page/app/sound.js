/** Short tones, made here: nothing is loaded. Off until the reader wants them. */

/** @type {Record<string, [number, number][]>} each sound as tones: hertz, and seconds from its beginning */
const SOUNDS = {
  move: [[520, 0]],
  warning: [[880, 0], [660, 0.14], [880, 0.28]],
  end: [[440, 0], [554, 0.12], [659, 0.24]],
  offer: [[660, 0], [660, 0.16]],
  edge: [[180, 0]],
};

const LENGTH_S = 0.12;
const LOUD = 0.15;

export class Sounds {
  /** @param {() => boolean} isOn */
  constructor(isOn) {
    this.isOn = isOn;
    /** @type {AudioContext | null} */
    this.context = null;
    /** @type {string[]} what was heard last: for tests, which have no ears */
    this.heard = [];
  }

  /** @param {string} name */
  play(name) {
    if (!this.isOn()) return;
    this.heard = [...this.heard.slice(-19), name];
    try {
      this.context ??= new AudioContext();
      if (this.context.state === "suspended") this.context.resume().catch(() => undefined);
      for (const [hertz, at] of SOUNDS[name]) this.tone(this.context, hertz, at);
    } catch {
      // a browser without sound
    }
  }

  /** @param {AudioContext} context @param {number} hertz @param {number} at */
  tone(context, hertz, at) {
    const [voice, volume] = [context.createOscillator(), context.createGain()];
    const start = context.currentTime + at;
    voice.frequency.value = hertz;
    volume.gain.setValueAtTime(LOUD, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH_S);
    voice.connect(volume).connect(context.destination);
    voice.start(start);
    voice.stop(start + LENGTH_S);
  }
}
