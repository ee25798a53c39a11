// What the studio's editor consists of: esbuild makes one file of it and of what it imports.

export { basicSetup, EditorView } from "codemirror";
export { indentWithTab } from "@codemirror/commands";
export { python } from "@codemirror/lang-python";
export { indentUnit } from "@codemirror/language";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { Compartment, EditorState } from "@codemirror/state";
export { keymap } from "@codemirror/view";
