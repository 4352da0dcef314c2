import { Box, Text, useApp } from "ink";
import { useEffect, useState } from "react";
import { sanitizeLine } from "../../output/sanitize.ts";
import { stripControlCharacters } from "../line/keys.ts";
import { useKeys } from "../line/use-keys.ts";
import { filterChoices, INITIAL_STATE, type PickAction, pickReducer, visibleRange } from "./pick-state.ts";

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

const VISIBLE_ROWS = 10;

/**
 * A list to choose one of, with the arrow keys or by typing part of a label:
 *
 *     Model: qwen
 *     › Qwen/Qwen3-32B   warm
 *       Qwen/Qwen3-8B    cold
 */
export function Pick<C extends PickChoice>({ label, choices, unicode, color, onChoice }: PickProps<C>) {
  const { exit } = useApp();
  const [state, setState] = useState(INITIAL_STATE);
  const [chosen, setChosen] = useState<C | null>(null);
  const [isOpen, setIsOpen] = useState(true);
  // Exits after the last frame, so that the answer stays on the screen.
  useEffect(() => {
    if (!isOpen) exit();
  }, [isOpen, exit]);
  const matches = filterChoices(choices, state.query);
  const dispatch = (action: PickAction) => setState((before) => pickReducer(before, action, matches.length));
  useKeys(
    (input, key) => {
      if (key.escape || (key.ctrl && (input === "c" || input === "d"))) return setIsOpen(false);
      if (key.upArrow || key.downArrow) return dispatch({ type: "moved", by: key.upArrow ? -1 : 1 });
      if (key.backspace || key.delete) return dispatch({ type: "erased" });
      if (key.return) {
        const choice = matches[state.selected];
        if (choice === undefined) return;
        setChosen(choice);
        onChoice(choice);
        return setIsOpen(false);
      }
      const text = stripControlCharacters(input);
      if (text !== "" && !key.ctrl && !key.meta) dispatch({ type: "typed", text });
    },
    { isActive: isOpen, isSingleLine: true },
  );
  if (!isOpen) return <Text>{`${label}: ${sanitizeLine(chosen?.label ?? "")}`}</Text>;
  const [first, end] = visibleRange(state.selected, matches.length, VISIBLE_ROWS);
  return (
    <Box flexDirection="column">
      <Text>{`${label}: ${state.query}`}</Text>
      {matches.slice(first, end).map((choice, index) => {
        const isSelected = first + index === state.selected;
        return (
          <Text key={choice.label} bold={isSelected && color} wrap="truncate-end">
            {`${isSelected ? (unicode ? "› " : "> ") : "  "}${sanitizeLine(choice.label)}`}
            {choice.note === undefined ? "" : <Text dimColor={color}>{`  ${sanitizeLine(choice.note)}`}</Text>}
          </Text>
        );
      })}
      {matches.length === 0 ? <Text>nothing fits</Text> : null}
    </Box>
  );
}
