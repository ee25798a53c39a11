/** A program that was handed in: what its check says, and what is wrong with it, for its author and for the teacher. */

import { h } from "../dom.js";

/** @typedef {App.Speaker} Speaks */

/** Characters of a program, as the class takes them. */
export const LONGEST = 256_000;

const SIGNS = { waiting: "…", running: "…", works: "✓", fails: "✗" };

/** How the check of a version stands: a sign and words. @param {School.Work} work @param {Speaks} t */
export function checkTag(work, t) {
  // A comment on what works is no reason to hand it in again.
  const isBack = work.comment && work.check !== "works";
  const check = isBack ? "returned" : work.check ?? "waiting";
  const sign = isBack ? "↩" : SIGNS[work.check ?? "waiting"];
  return h("span", { class: `tag check ${check}` }, h("span", { "aria-hidden": "true" }, `${sign} `), t(`check_${check}`), counted(work));
}

/** How many tests it passed. @param {School.Work} work */
function counted(work) {
  return work.of ? ` ${work.passed ?? 0}/${work.of}` : "";
}

/** Where a fault is, in words; empty if nobody knows. @param {School.Fault} fault @param {Speaks} t */
export function whereText(fault, t) {
  const cell = fault.cell ? t("faultCell", { cell: fault.cell }) : "";
  const line = fault.line ? t("faultLine", { line: fault.line }) : "";
  return [cell, line].filter(Boolean).join(", ");
}

/** A fault: cause first, then where, the position, a likely cause, the prints last. @param {School.Fault} fault @param {Speaks} t */
export function faultOf(fault, t) {
  const where = whereText(fault, t);
  return h("div.fault",
    h("p", h("strong", fault.what)),
    where || fault.code ? h("p", where && fault.code ? `${t("faultAt", { where })} ` : where, fault.code ? h("code", fault.code.trim()) : null) : null,
    fault.hint ? h("p.fault-hint", fault.hint) : null,
    fault.position ? h("figure", h("figcaption.faint", t("inPosition")), h("pre", fault.position)) : null,
    fault.printed ? h("details", h("summary", t("printed")), h("pre", fault.printed)) : null);
}

/** A moment as people read it: the time, with the day if it was another one. @param {number} at @param {string} language */
export function timeText(at, language) {
  const when = new Date(at);
  const isToday = when.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const how = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...(isToday ? {} : { day: "numeric", month: "short" }) };
  return new Intl.DateTimeFormat(language, how).format(when);
}

/**
 * A notebook without what its cells showed when they ran: pictures can be megabytes. Other files stay as they are.
 * @param {string} file
 * @param {string} text
 * @returns {string | null} null for a notebook that can't be read
 */
export function stripped(file, text) {
  if (!file.toLowerCase().endsWith(".ipynb")) return text;
  try {
    const notebook = JSON.parse(text);
    const cells = notebook.cells ?? notebook.worksheets[0].cells;
    for (const cell of cells) {
      if (cell.cell_type === "code") Object.assign(cell, { outputs: [], execution_count: null });
      delete cell.attachments;
    }
    return JSON.stringify(notebook);
  } catch {
    return null;
  }
}
