import { Text } from "ink";
import type { Line } from "./line.ts";

/** A line of input with its cursor as an inverted character. */
export function Written({ line, mask, active }: { line: Line; mask?: string; active: boolean }) {
  const shown = mask === undefined ? line.letters : line.letters.map(() => mask);
  if (!active) return <Text>{shown.join("")}</Text>;
  const under = shown[line.cursor] ?? " ";
  return (
    <Text>
      {shown.slice(0, line.cursor).join("")}
      <Text inverse>{under === "\n" ? " " : under}</Text>
      {under === "\n" ? "\n" : ""}
      {shown.slice(line.cursor + 1).join("")}
    </Text>
  );
}
