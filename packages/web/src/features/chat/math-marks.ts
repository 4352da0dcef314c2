/** Code, where dollars and backslashes have no special meaning. */
const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/;
/** A formula between single dollars without spaces inside; excludes two prices in one line. */
const DOLLARS = /(?<![\\$\w])\$(?![\s$])([^$\n]{1,200}?)(?<![\s\\])\$(?![\d$\w])/g;

/** Converts all delimiters of formulas (`\(…\)`, `\[…\]`, `$…$`) to the double dollars that the renderer supports. */
export function markMath(text: string): string {
  if (!/[$\\]/.test(text)) return text;
  return text
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : mark(part)))
    .join("");
}

function mark(text: string): string {
  const blocks = betweenMarks(text, "\\[", "\\]", (inner) => `\n$$\n${inner}\n$$\n`);
  const lines = betweenMarks(blocks, "\\(", "\\)", (inner) => `$$${inner}$$`);
  return lines.replace(DOLLARS, (all, inner: string) => (isFormula(inner) ? `$$${inner}$$` : all));
}

/** Replaces the text between two delimiters. One pass, because the input may consist of opening delimiters only. */
function betweenMarks(text: string, open: string, close: string, put: (inner: string) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const from = text.indexOf(open, at);
    const to = from === -1 ? -1 : text.indexOf(close, from + open.length);
    if (to === -1) return parts.join("") + text.slice(at);
    const inner = text.slice(from + open.length, to).trim();
    parts.push(text.slice(at, from), inner === "" ? text.slice(from, to + close.length) : put(inner));
    at = to + close.length;
  }
}

const isFormula = (text: string): boolean => /[\\^_=+<>]/.test(text) || /^[A-Za-z]('|\([A-Za-z]\))?$/.test(text);
