/** Code, where dollars and backslashes have no special meaning. */
const CODE_PATTERN = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/;
/** A formula between single dollars without spaces inside; excludes two prices in one line. */
const SINGLE_DOLLARS = /(?<![\\$\w])\$(?![\s$])([^$\n]{1,200}?)(?<![\s\\])\$(?![\d$\w])/g;

/** The marks of quotes and lists before the text of a line. */
const LINE_PREFIX = /^[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)*/;
const LIST_MARKER = /[-*+]|\d{1,9}[.)]/g;
const LIST_ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/m;
/** A formula between double dollars that has its lines for itself. */
const WHOLE_LINES =
  /^([ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)*)\$\$(?!\$)((?:(?!\$\$|\n[ \t]*\n)[\s\S])+)\$\$[ \t]*$/gm;

/**
 * Converts all delimiters of formulas (`\(…\)`, `\[…\]`, `$…$`) to the double dollars that the renderer supports: on lines
 * of their own for a block, in the text for a formula in a line.
 */
export function normalizeMath(text: string): string {
  if (!/[$\\]/.test(text)) return text;
  return text
    .split(CODE_PATTERN)
    .map((segment, index) => (index % 2 === 1 ? segment : normalizePart(segment, index === 0)))
    .join("");
}

function normalizePart(text: string, startsLine: boolean): string {
  const list = text.search(LIST_ITEM);
  const isInList = (at: number) => list !== -1 && list <= at;
  const written = text.replace(WHOLE_LINES, (match, prefix: string, inner: string, at: number) =>
    (at === 0 && !startsLine) || inner.trim() === "" ? match : prefix + toBlock(inner, toIndent(prefix, isInList(at))),
  );
  const blocks = replaceBetween(written, "\\[", "\\]", (inner, from, to) => {
    const start = written.lastIndexOf("\n", from - 1) + 1;
    const line = written.slice(start, from);
    const [prefix = ""] = LINE_PREFIX.exec(line) ?? [];
    const indent = toIndent(prefix, isInList(start));
    const isAlone = line === prefix && (start > 0 || startsLine);
    const endsLine = /^[ \t]*(\n|$)/.test(written.slice(to, to + MAX_TRAILING_SPACES));
    return `${isAlone ? "" : `\n${indent}`}${toBlock(inner, indent)}${endsLine ? "" : `\n${indent}`}`;
  });
  const lines = replaceBetween(blocks, "\\(", "\\)", (inner) => `$$${inner}$$`);
  return lines.replace(SINGLE_DOLLARS, (match, inner: string) => (isFormula(inner) ? `$$${inner}$$` : match));
}

const MAX_TRAILING_SPACES = 100;

/** Returns what later lines of the same list item or quote begin with. Elsewhere, indented text would be code. */
const toIndent = (prefix: string, isInList: boolean): string =>
  isInList || prefix.includes(">") ? prefix.replaceAll(LIST_MARKER, (marker) => " ".repeat(marker.length)) : "";

/** Returns a formula as a block. The first line has its indentation already. */
function toBlock(formula: string, indent: string): string {
  const own = indent.includes(">") ? /^[ \t>]+/ : /^[ \t]+/;
  const lines = formula
    .trim()
    .split("\n")
    .map((line) => indent + line.replace(own, ""));
  return ["$$", ...lines, `${indent}$$`].join("\n");
}

/** Replaces the text between two delimiters. One pass, because the input may consist of opening delimiters only. */
function replaceBetween(
  text: string,
  open: string,
  close: string,
  format: (inner: string, from: number, to: number) => string,
): string {
  const pieces: string[] = [];
  let at = 0;
  for (;;) {
    const from = text.indexOf(open, at);
    const to = from === -1 ? -1 : text.indexOf(close, from + open.length);
    if (to === -1) return pieces.join("") + text.slice(at);
    const inner = text.slice(from + open.length, to).trim();
    const end = to + close.length;
    pieces.push(text.slice(at, from), inner === "" ? text.slice(from, end) : format(inner, from, end));
    at = end;
  }
}

const isFormula = (text: string): boolean => /[\\^_=+<>]/.test(text) || /^[A-Za-z]('|\([A-Za-z]\))?$/.test(text);
