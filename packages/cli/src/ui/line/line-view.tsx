import { Text } from "ink";
import type { Line } from "./line.ts";

/** What a tab looks like: the real one would jump, and Ink counts it as nothing. */
const TAB = "    ";

/** A line of input with its cursor as an inverted character. */
export function LineView({ line, mask, active }: { line: Line; mask?: string; active: boolean }) {
  const characters = line.characters.map((character) => mask ?? (character === "\t" ? TAB : character));
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
