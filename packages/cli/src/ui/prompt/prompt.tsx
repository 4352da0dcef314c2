import { Text, useApp, useInput } from "ink";
import { useEffect, useState } from "react";
import { toEdit } from "../line/keys.ts";
import { EMPTY_LINE, editLine, lineText } from "../line/line.ts";
import { LineView } from "../line/line-view.tsx";

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
  useInput(
    (input, key) => {
      if (key.ctrl && (input === "c" || (input === "d" && line.characters.length === 0))) return leave();
      // Pasted text, or text typed ahead, may contain its own line end.
      const [typed = "", ...rest] = input.split(/[\r\n]/);
      const edit = toEdit(typed, key);
      const next = edit === null || key.return ? line : editLine(line, edit);
      if (!key.return && rest.length === 0) return setLine(next);
      setLine(next);
      onAnswer(lineText(next));
      return leave();
    },
    { isActive: isOpen },
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
