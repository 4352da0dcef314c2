import { Text } from "ink";
import type { Line } from "./line.ts";

/** A line of input with its cursor as an inverted character. */
export function LineView({ line, mask, active }: { line: Line; mask?: string; active: boolean }) {
  const characters = mask === undefined ? line.characters : line.characters.map(() => mask);
  if (!active) return <Text>{characters.join("")}</Text>;
  const cursorCharacter = characters[line.cursor] ?? " ";
  return (
    <Text>
      {characters.slice(0, line.cursor).join("")}
      <Text inverse>{cursorCharacter === "\n" ? " " : cursorCharacter}</Text>
      {cursorCharacter === "\n" ? "\n" : ""}
      {characters.slice(line.cursor + 1).join("")}
    </Text>
  );
}
