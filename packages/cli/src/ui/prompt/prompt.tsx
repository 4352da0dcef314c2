import { Text, useApp } from "ink";
import { useEffect, useState } from "react";
import { toEdit } from "../line/keys.ts";
import { EMPTY_LINE, editLine, lineText } from "../line/line.ts";
import { LineView } from "../line/line-view.tsx";
import { useKeys } from "../line/use-keys.ts";

/** Props of `Prompt`. */
export type PromptProps = {
  readonly label: string;
  readonly kind: "line" | "secret" | "confirm";
  readonly unicode: boolean;
  /** Receives the answer; not called when the person leaves with Ctrl-C or Ctrl-D. */
  onAnswer(text: string): void;
};

/** A question with one line of input: `Email: maria@example.com`, `Password: ••••`, `Delete it? (y/N) `. */
export function Prompt({ label, kind, unicode, onAnswer }: PromptProps) {
  const { exit } = useApp();
  const [line, setLine] = useState(EMPTY_LINE);
  const [isOpen, setIsOpen] = useState(true);
  // Exits after the last frame, so that the answer stays on the screen.
  useEffect(() => {
    if (!isOpen) exit();
  }, [isOpen, exit]);
  const leave = () => setIsOpen(false);
  useKeys(
    (input, key) => {
      if (key.ctrl && (input === "c" || (input === "d" && line.characters.length === 0))) return leave();
      if (key.return) {
        onAnswer(lineText(line));
        return leave();
      }
      const edit = toEdit(input, key);
      if (edit !== null) setLine(editLine(line, edit));
    },
    { isActive: isOpen, isSingleLine: true },
  );
  const mask = kind === "secret" ? { mask: unicode ? "•" : "*" } : {};
  return (
    <Text>
      {label}
      {kind === "confirm" ? " (y/N) " : ": "}
      <LineView line={line} active={isOpen} {...mask} />
    </Text>
  );
}
