import type { OutputStream } from "./io.ts";
import { type MeasureWidth, measureAsciiWidth } from "./width.ts";

/** Wraps text between words so that no line is wider than `width`. Words that are wider are not broken. */
export function wrapWords(text: string, width: number, measure: MeasureWidth): string {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    let current = "";
    for (const word of line.split(/(?<=\S)(?= )/)) {
      if (current !== "" && measure(current + word) > width) {
        lines.push(current);
        current = word.trimStart();
      } else current += word;
    }
    lines.push(current);
  }
  return lines.join("\n");
}

const MIN_WIDTH = 20;

/** Returns the columns that lines of a stream may take; infinite when it is no terminal. */
export const widthOf = ({ isTTY, columns }: OutputStream): number =>
  isTTY === true ? Math.max(MIN_WIDTH, columns ?? 80) : Number.POSITIVE_INFINITY;

/** Words of a command line; quoted texts stay whole. */
const COMMAND_WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/** Returns a command line on as many lines as it needs, which a shell reads as one. All but the first are indented. */
export function wrapCommand(command: string, width: number, indent: string): string {
  if (measureAsciiWidth(command) <= width) return command;
  const [first = "", ...words] = command.match(COMMAND_WORD) ?? [];
  const lines = [first];
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`;
    if (measureAsciiWidth(`${line} \\`) <= width) lines[lines.length - 1] = line;
    else lines.push(`${indent}${word}`);
  }
  return lines.join(" \\\n");
}
