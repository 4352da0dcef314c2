import type { MeasureWidth } from "./width.ts";

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
