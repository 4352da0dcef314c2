import type { Style } from "../style.ts";
import type { MeasureWidth } from "../width.ts";
import { wrapWords } from "../wrap.ts";
import { type Fence, isCodeLine, RULE, renderInline, renderMarkdownLine } from "./markdown.ts";

/** Where Markdown is shown: the style and the columns of a terminal. */
export type MarkdownDisplay = { readonly style: Style; readonly width: number; readonly measure: MeasureWidth };

/** Rules are no wider, since they would be torn when the window becomes narrower. */
const MAX_RULE_WIDTH = 60;
/** A column of a table is not made narrower than this. */
const MIN_COLUMN_WIDTH = 6;
const COLUMN_GAP = "  ";

/** Returns whether a line may belong to a table, which can be rendered only when all of its lines are known. */
export const isTableRow = (line: string): boolean => /^ {0,3}\|/.test(line);

/**
 * Renders a line of Markdown, or the lines of a table, for a terminal. Lines are wrapped between words; lines of code are not,
 * so that they can be copied. Without colour, the text is wrapped and otherwise unchanged.
 */
export function renderMarkdownBlock(text: string, fence: Fence, display: MarkdownDisplay): string {
  const { style, width, measure } = display;
  const { rendered } = renderMarkdownLine(text, fence, style);
  if (isCodeLine(text, fence)) return rendered;
  if (!style.color) return wrapWords(text, width, measure);
  if (isTableRow(text)) return renderTable(text.split("\n"), display) ?? rendered;
  if (RULE.test(text)) return style.dim((style.unicode ? "─" : "-").repeat(Math.min(width, MAX_RULE_WIDTH)));
  const [, quote, quoted = ""] = /^( {0,3}>[> ]*)(.*)$/.exec(text) ?? [];
  if (quote !== undefined) return renderQuote(quote.split(">").length - 1, quoted, display);
  const [indent = ""] = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/.exec(text) ?? [];
  return wrapWords(rendered, width - indent.length, measure).replaceAll("\n", `\n${" ".repeat(indent.length)}`);
}

function renderQuote(depth: number, text: string, { style, width, measure }: MarkdownDisplay): string {
  const bar = style.dim(`${style.unicode ? "│" : ">"} `).repeat(depth);
  const lines = wrapWords(renderInline(text, style), width - 2 * depth, measure).split("\n");
  return lines.map((line) => bar + line).join("\n");
}

/** Renders a table with aligned columns; undefined when the lines are none, or the terminal is too narrow. */
function renderTable(lines: readonly string[], display: MarkdownDisplay): string | undefined {
  const { style, width, measure } = display;
  const [head, delimiters, ...body] = lines.map(splitRow);
  if (head === undefined || delimiters === undefined || !delimiters.every((cell) => /^:?-+:?$/.test(cell)))
    return undefined;
  const rows = [head, ...body].map((row) => head.map((_, index) => renderInline(row[index] ?? "", style)));
  const widths = fitWidths(
    head.map((_, index) => Math.max(...rows.map((row) => measure(row[index] ?? "")))),
    width - COLUMN_GAP.length * (head.length - 1),
  );
  if (widths === undefined) return undefined;
  const rule = widths.map((one) => style.dim((style.unicode ? "─" : "-").repeat(one))).join(COLUMN_GAP);
  const isRight = delimiters.map((cell) => /^-+:$/.test(cell));
  const [first = "", ...others] = rows.map((row) => formatRow(row, widths, isRight, measure));
  return [boldLines(first, style), rule, ...others].join("\n");
}

const splitRow = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

/** Narrows the widest columns until all fit; undefined when they cannot. */
function fitWidths(natural: readonly number[], available: number): readonly number[] | undefined {
  const widths = [...natural];
  const total = () => widths.reduce((sum, one) => sum + one, 0);
  while (total() > available) {
    const widest = Math.max(...widths);
    if (widest <= MIN_COLUMN_WIDTH) return undefined;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Formats a row, over several lines where a cell is wider than its column. */
function formatRow(
  cells: readonly string[],
  widths: readonly number[],
  isRight: readonly boolean[],
  measure: MeasureWidth,
): string {
  const wrapped = cells.map((cell, index) => wrapWords(cell, widths[index] ?? 0, measure).split("\n"));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((lines, index) => {
        const text = lines[line] ?? "";
        const space = " ".repeat(Math.max(0, (widths[index] ?? 0) - measure(text)));
        return isRight[index] ? space + text : text + space;
      })
      .join(COLUMN_GAP)
      .trimEnd(),
  ).join("\n");
}

const boldLines = (text: string, style: Style): string => text.split("\n").map(style.bold).join("\n");
