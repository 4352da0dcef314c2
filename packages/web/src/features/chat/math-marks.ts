/** Code, where dollars and backslashes mean themselves. */
const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/;
const BLOCK = /\\\[([\s\S]+?)\\\]/g;
const INLINE = /\\\(([\s\S]+?)\\\)/g;
/** One dollar on each side, close to what is between; not two prices. */
const DOLLARS = /(?<![\\$\w])\$(?![\s$])([^$\n]{1,200}?)(?<![\s\\])\$(?![\d$\w])/g;

/** Whatever marks a model sets around mathematics, brought to the double dollars that the renderer knows. */
export function markMath(text: string): string {
  if (!/[$\\]/.test(text)) return text;
  return text
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : mark(part)))
    .join("");
}

function mark(text: string): string {
  return text
    .replace(BLOCK, (_, inner: string) => `\n$$$$\n${inner.trim()}\n$$$$\n`)
    .replace(INLINE, (_, inner: string) => `$$$$${inner.trim()}$$$$`)
    .replace(DOLLARS, (all, inner: string) => (isFormula(inner) ? `$$$$${inner}$$$$` : all));
}

const isFormula = (text: string): boolean => /[\\^_=+<>]/.test(text) || /^[A-Za-z]('|\([A-Za-z]\))?$/.test(text);
