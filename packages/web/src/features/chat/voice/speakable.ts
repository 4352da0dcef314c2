/** Backends take texts of at least this length: OpenAI takes 4,096 characters. */
const MAX_PART_LENGTH = 4_000;

/** Returns the text of an answer in Markdown as it is read aloud: without code, addresses and marks. It takes time in proportion to its length. */
export const toSpeakable = (markdown: string): string =>
  markdown
    .replace(/^(```|~~~)[\s\S]*?(^\1|$(?![\s\S]))/gm, "")
    .replace(/!?\[([^[\]]*)\]\([^)\n]{0,2000}\)/g, "$1")
    .replace(/https?:\/\/\S+/g, "")
    .replace(/^[ \t]*(#{1,6}|>|[-*+]|\d+\.)[ \t]+/gm, "")
    .replace(/[*_`~|]+/g, "")
    .replace(/[ \t]+/g, " ")
    .replace(/\n{2,}/g, "\n")
    .trim();

/** Splits a text into parts that backends take, at the ends of sentences where there are some. */
export function splitSpeakable(text: string, maxLength = MAX_PART_LENGTH): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > maxLength) {
    const beginning = rest.slice(0, maxLength);
    const sentence = Math.max(...[". ", "! ", "? ", "\n"].map((end) => beginning.lastIndexOf(end)));
    const at = sentence > 0 ? sentence + 1 : beginning.lastIndexOf(" ") > 0 ? beginning.lastIndexOf(" ") : maxLength;
    parts.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return rest === "" ? parts : [...parts, rest];
}
