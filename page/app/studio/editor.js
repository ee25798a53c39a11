/**
 * The editor: CodeMirror, in a shadow root, since its styles are made by its script and the page's policy allows no
 * styles but its own files. A field of plain text takes its place where it can't be loaded.
 */

import { h } from "../dom.js";
import { filled } from "../texts.js";

/** @typedef {import("./pool.js").Mark} Mark */

export class Editor {
  /**
   * @param {string} label
   * @param {"en" | "fr"} language of what the editor itself says
   * @param {() => void} changed
   */
  constructor(label, language, changed) {
    this.label = label;
    this.phrases = language === "fr" ? FRENCH : {};
    this.changed = changed;
    this.element = h("div.editor");
    this.isOver = false;
    /** @type {any} */
    this.parts = null;
    /** @type {any} */
    this.view = null;
    this.field = /** @type {HTMLTextAreaElement} */ (h("textarea", { "aria-label": label, spellcheck: "false", input: () => this.changed() }));
  }

  /** @param {string} base where the runtime is @param {() => void} run what Ctrl-Enter does */
  async open(base, run) {
    try {
      this.parts = await import(`${base}editor.js`);
    } catch {
      this.element.append(this.field);
      return;
    }
    if (this.isOver) return;
    const { basicSetup, EditorView, EditorState, keymap, indentWithTab, indentUnit, python, lintGutter } = this.parts;
    const root = this.element.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const keys = keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }, indentWithTab]);
    const labelled = EditorView.contentAttributes.of({ "aria-label": this.label, "data-editor": "" });
    const heard = EditorView.updateListener.of((/** @type {any} */ update) => update.docChanged && this.changed());
    this.state = (/** @type {string} */ doc) => EditorState.create({
      doc, extensions: [keys, basicSetup, python(), indentUnit.of("    "), EditorState.tabSize.of(4), lintGutter(), labelled, heard, EditorState.phrases.of(this.phrases)],
    });
    this.view = new EditorView({ state: this.state(this.field.value), root, parent: root });
    this.view.scrollDOM.tabIndex = 0; // for those who scroll by keys
    root.adoptedStyleSheets = [...root.adoptedStyleSheets.filter((other) => other !== sheet), sheet];
  }

  get text() {
    return this.view ? this.view.state.doc.toString() : this.field.value;
  }

  /** Another file: nothing of the one before can be undone into it. @param {string} text */
  set text(text) {
    this.field.value = text;
    if (this.view) this.view.setState(this.state?.(text));
  }

  /** Marks lines, in the place of those marked before. @param {readonly Mark[]} marks */
  mark(marks) {
    if (!this.view) return;
    const { doc } = this.view.state;
    const found = marks.filter(({ line }) => line >= 1 && line <= doc.lines).map(({ line, kind, text }) => {
      const { from, to, text: code } = doc.line(line);
      return { from: from + (code.length - code.trimStart().length), to, severity: kind === "error" ? "error" : "info", message: text };
    });
    this.view.dispatch(this.parts.setDiagnostics(this.view.state, found));
    if (found.length) this.view.dispatch({ effects: this.parts.EditorView.scrollIntoView(found[0].from, { y: "center" }) });
  }

  close() {
    this.isOver = true;
    this.view?.destroy();
  }
}

/** What CodeMirror says, which is in English by itself; the keys are its own. @type {Record<string, string>} */
const FRENCH = Object.fromEntries(Object.entries({
  "Find": "Chercher", "Replace": "Remplacer par", "next": "suivant", "previous": "précédent", "all": "tout", "match case": "majuscules",
  "by word": "mot entier", "regexp": "expression régulière", "replace": "remplacer", "replace all": "tout remplacer", "close": "fermer",
  "Go to line": "Aller à la ligne", "go": "y aller", "replaced match on line $": "remplacé à la ligne $", "replaced $ matches": "remplacés : $",
  "current match": "résultat actuel", "on line": "à la ligne", "to": "jusqu’à", "Folded lines": "Lignes repliées", "Unfolded lines": "Lignes dépliées",
  "folded code": "code replié", "unfold": "déplier", "Fold line": "Replier la ligne", "Unfold line": "Déplier la ligne",
  "Selection deleted": "Sélection effacée", "Control character": "Caractère de contrôle", "Completions": "Propositions",
  "Diagnostics": "Erreurs", "No diagnostics": "Aucune erreur",
}).map(([key, text]) => [key, filled(text, {})]));

const STYLE = ":host { display: block; height: 100%; } .cm-editor { height: 100%; font-size: 1rem; background: var(--card); color: var(--text); } .cm-editor :is(.cm-scroller, .cm-panels, .cm-tooltip) { filter: var(--turned, none); } .cm-editor .cm-tooltip .cm-tooltip { filter: none; } .cm-editor .cm-scroller { background: var(--card); font-family: ui-monospace, Consolas, monospace; overflow: auto; } .cm-editor .cm-gutters { background: var(--ground); color: var(--faint); border-color: var(--line); } .cm-editor .cm-activeLine, .cm-editor .cm-activeLineGutter { background: color-mix(in srgb, var(--accent) 10%, transparent); } .cm-editor .cm-cursor { border-color: var(--text); } .cm-editor .cm-tooltip { background: var(--card); color: var(--text); border-color: var(--line); white-space: pre-wrap; } .cm-editor.cm-focused { outline: 3px solid var(--mark); outline-offset: -3px; } .cm-editor .cm-panels { background: var(--card); color: var(--text); }";
