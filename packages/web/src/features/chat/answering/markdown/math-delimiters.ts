/** Code, where dollars and backslashes have no special meaning. */
const CODE_PATTERN = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/;
/** A formula between single dollars without spaces inside; excludes two prices in one line. */
const SINGLE_DOLLARS = /(?<![\\$\w])\$(?![\s$])([^$\n]{1,200}?)(?<![\s\\])\$(?![\d$\w])/g;

/** Converts all delimiters of formulas (`\(…\)`, `\[…\]`, `$…$`) to the double dollars that the renderer supports. */
export function normalizeMath(text: string): string {
  if (!/[$\\]/.test(text)) return text;
  return text
    .split(CODE_PATTERN)
    .map((segment, index) => (index % 2 === 1 ? segment : normalizePart(segment)))
    .join("");
}

function normalizePart(text: string): string {
  const blocks = replaceBetween(text, "\\[", "\\]", (inner) => `\n$$\n${inner}\n$$\n`);
  const lines = replaceBetween(blocks, "\\(", "\\)", (inner) => `$$${inner}$$`);
  return lines.replace(SINGLE_DOLLARS, (match, inner: string) => (isFormula(inner) ? `$$${inner}$$` : match));
}

/** Replaces the text between two delimiters. One pass, because the input may consist of opening delimiters only. */
function replaceBetween(text: string, open: string, close: string, format: (inner: string) => string): string {
  const pieces: string[] = [];
  let at = 0;
  for (;;) {
    const from = text.indexOf(open, at);
    const to = from === -1 ? -1 : text.indexOf(close, from + open.length);
    if (to === -1) return pieces.join("") + text.slice(at);
    const inner = text.slice(from + open.length, to).trim();
    pieces.push(text.slice(at, from), inner === "" ? text.slice(from, to + close.length) : format(inner));
    at = to + close.length;
  }
}

const isFormula = (text: string): boolean => /[\\^_=+<>]/.test(text) || /^[A-Za-z]('|\([A-Za-z]\))?$/.test(text);
