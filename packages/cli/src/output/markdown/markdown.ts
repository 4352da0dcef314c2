import type { Style } from "../style.ts";

/** The fence that closes the current code block; null outside of code blocks. */
export type Fence = string | null;

/**
 * Renders a line of Markdown for a terminal, and returns the fence for the next line. It works line by line because answers
 * are streamed. Without colour, the text stays unchanged. `renderMarkdownBlock` wraps lines, and renders what needs the width.
 */
export function renderMarkdownLine(
  line: string,
  fence: Fence,
  style: Style,
): { readonly rendered: string; readonly fence: Fence } {
  const [, mark = "", rest = ""] = FENCE.exec(line) ?? [];
  if (fence !== null) {
    const closes = mark.startsWith(fence) && rest.trim() === "";
    return { rendered: closes ? style.dim(line) : paintWords(line, style.accent), fence: closes ? null : fence };
  }
  if (mark !== "") return { rendered: style.dim(line), fence: mark };
  if (!style.color) return { rendered: line, fence };
  return { rendered: renderBlock(line, style), fence };
}

function renderBlock(line: string, style: Style): string {
  const [, hashes, title = ""] = /^ {0,3}(#{1,6}) +(.*?)(?: +#+)?$/.exec(line) ?? [];
  if (hashes !== undefined) return paintWords(title, style.bold);
  const [, indent = "", bullet, item = ""] = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line) ?? [];
  if (bullet === undefined) return renderInline(line, style);
  const sign = /\d/.test(bullet) || !style.unicode ? bullet : "•";
  return `${indent}${style.dim(sign)} ${renderInline(item, style)}`;
}

/** Code, strong and emphasised text, and links within a line. */
export const INLINE =
  /(`+)(.+?)\1(?!`)|\*\*(\S(?:.*?\S)?)\*\*|(?<![*\w])\*([^\s*](?:[^*]*[^\s*])?)\*(?![*\w])|\[([^\]]+)\]\((https?:[^)\s]+)\)/g;

/** A line between sections. */
export const RULE = /^ {0,3}([-*_])( *\1){2,} *$/;

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Returns whether a line is code, or a fence around it. */
export const isCodeLine = (line: string, fence: Fence): boolean => fence !== null || FENCE.test(line);

/** Renders code, strong and emphasised text, and links within a line. */
export function renderInline(text: string, style: Style): string {
  return text.replace(
    INLINE,
    (whole, _, code?: string, strong?: string, weak?: string, label?: string, address?: string) => {
      if (code !== undefined) return paintWords(code, style.accent);
      if (strong !== undefined) return paintWords(strong, style.bold);
      if (weak !== undefined) return paintWords(weak, style.italic);
      // The URL stays visible, so that a link cannot hide its target.
      if (label !== undefined && address !== undefined)
        return label === address ? label : `${label} ${style.dim(`(${address})`)}`;
      return whole;
    },
  );
}

/** Paints word by word, so that the line can be wrapped afterwards. */
const paintWords = (text: string, paint: (word: string) => string): string =>
  text
    .split(/( +)/)
    .map((word) => (word.trim() === "" ? word : paint(word)))
    .join("");
