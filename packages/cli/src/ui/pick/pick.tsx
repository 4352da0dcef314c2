import { Box, Text, useApp, useInput } from "ink";
import { useEffect, useState } from "react";
import { sanitizeLine } from "../../output/sanitize.ts";
import { printable } from "../line/keys.ts";
import { fitting, type PickAction, pickReducer, START, shownPart } from "./state.ts";

/** A choice with its label, and a note beside it. */
export type PickChoice = { readonly label: string; readonly note?: string };
/** Props of `Pick`. */
export type PickProps<C extends PickChoice> = {
  readonly label: string;
  readonly choices: readonly C[];
  readonly unicode: boolean;
  readonly color: boolean;
  /** Receives the choice; not called when the person leaves with Ctrl-C, Ctrl-D or Escape. */
  onChoice(choice: C): void;
};

const ROWS = 10;

/**
 * A list to choose one of, with the arrow keys or by typing part of a label:
 *
 *     Model: qwen
 *     › Qwen/Qwen3-32B   warm
 *       Qwen/Qwen3-8B    cold
 */
export function Pick<C extends PickChoice>({ label, choices, unicode, color, onChoice }: PickProps<C>) {
  const { exit } = useApp();
  const [state, setState] = useState(START);
  const [chosen, setChosen] = useState<C | null>(null);
  const [open, setOpen] = useState(true);
  // Exits after the last frame, so that the answer stays on the screen.
  useEffect(() => {
    if (!open) exit();
  }, [open, exit]);
  const fits = fitting(choices, state.typed);
  const act = (action: PickAction) => setState((before) => pickReducer(before, action, fits.length));
  useInput(
    (input, key) => {
      if (key.escape || (key.ctrl && (input === "c" || input === "d"))) return setOpen(false);
      if (key.upArrow || key.downArrow) return act({ type: "moved", by: key.upArrow ? -1 : 1 });
      if (key.backspace || key.delete) return act({ type: "erased" });
      if (key.return) {
        const choice = fits[state.at];
        if (choice === undefined) return;
        setChosen(choice);
        onChoice(choice);
        return setOpen(false);
      }
      const text = printable(input);
      if (text !== "" && !key.ctrl && !key.meta) act({ type: "typed", text });
    },
    { isActive: open },
  );
  if (!open) return <Text>{`${label}: ${sanitizeLine(chosen?.label ?? "")}`}</Text>;
  const [first, end] = shownPart(state.at, fits.length, ROWS);
  return (
    <Box flexDirection="column">
      <Text>{`${label}: ${state.typed}`}</Text>
      {fits.slice(first, end).map((choice, index) => {
        const marked = first + index === state.at;
        return (
          <Text key={choice.label} bold={marked && color} wrap="truncate-end">
            {`${marked ? (unicode ? "› " : "> ") : "  "}${sanitizeLine(choice.label)}`}
            {choice.note === undefined ? "" : <Text dimColor={color}>{`  ${sanitizeLine(choice.note)}`}</Text>}
          </Text>
        );
      })}
      {fits.length === 0 ? <Text>nothing fits</Text> : null}
    </Box>
  );
}
