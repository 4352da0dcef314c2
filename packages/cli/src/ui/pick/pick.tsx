import { Box, Text, useApp } from "ink";
import { Fragment, useEffect, useState } from "react";
import stringWidth from "string-width";
import { sanitizeLine } from "../../output/sanitize.ts";
import { stripControlCharacters } from "../line/keys.ts";
import { useKeys } from "../line/use-keys.ts";
import { filterChoices, INITIAL_STATE, type PickAction, pickReducer, visibleRange } from "./pick-state.ts";

/** A choice with its label, a note next to it, and its group. */
export type PickChoice = { readonly label: string; readonly note?: string; readonly group?: string };
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
 * A list to choose one of, with the arrow keys or by typing part of a label, a note or a group:
 *
 *     Model: qwen
 *     › Qwen/Qwen3-32B   warm
 *       Qwen/Qwen3-8B    cold
 *     12 more: type a part of what you look for
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
  const visible = matches.slice(first, end);
  const labelWidth = Math.max(0, ...visible.map((choice) => stringWidth(sanitizeLine(choice.label))));
  const hiddenCount = matches.length - visible.length;
  return (
    <Box flexDirection="column">
      <Text>{`${label}: ${state.query}`}</Text>
      {visible.map((choice, index) => (
        <Fragment key={choice.label}>
          {choice.group !== undefined && choice.group !== visible[index - 1]?.group ? (
            <Text dimColor={color}>{sanitizeLine(choice.group)}</Text>
          ) : null}
          <Row {...{ choice, labelWidth, unicode, color }} isSelected={first + index === state.selected} />
        </Fragment>
      ))}
      {matches.length === 0 ? <Text>nothing matches</Text> : null}
      {hiddenCount > 0 ? <Text dimColor={color}>{`${hiddenCount} more: type a part of what you look for`}</Text> : null}
    </Box>
  );
}

type RowProps = {
  readonly choice: PickChoice;
  readonly isSelected: boolean;
  /** Columns of the longest label, so that all notes begin below each other. */
  readonly labelWidth: number;
  readonly unicode: boolean;
  readonly color: boolean;
};

function Row({ choice, isSelected, labelWidth, unicode, color }: RowProps) {
  const label = sanitizeLine(choice.label);
  const padding = " ".repeat(labelWidth - stringWidth(label));
  return (
    <Text bold={isSelected && color} wrap="truncate-end">
      {`${isSelected ? (unicode ? "› " : "> ") : "  "}${label}`}
      {choice.note === undefined ? "" : <Text dimColor={color}>{`${padding}  ${sanitizeLine(choice.note)}`}</Text>}
    </Text>
  );
}
