import { Text, useApp, useInput } from "ink";
import { useEffect, useState } from "react";
import { editOf } from "../line/keys.ts";
import { EMPTY, editLine, textOf } from "../line/line.ts";
import { Written } from "../line/written.tsx";

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
  const [line, setLine] = useState(EMPTY);
  const [open, setOpen] = useState(true);
  // Exits after the last frame, so that the answer stays on the screen.
  useEffect(() => {
    if (!open) exit();
  }, [open, exit]);
  const leave = () => setOpen(false);
  useInput(
    (input, key) => {
      if (key.ctrl && (input === "c" || (input === "d" && line.letters.length === 0))) return leave();
      // Pasted text, or text typed ahead, may contain its own line end.
      const [typed = "", ...rest] = input.split(/[\r\n]/);
      const edit = editOf(typed, key);
      const next = edit === null || key.return ? line : editLine(line, edit);
      if (!key.return && rest.length === 0) return setLine(next);
      setLine(next);
      onAnswer(textOf(next));
      return leave();
    },
    { isActive: open },
  );
  const mask = kind === "secret" ? { mask: unicode ? "•" : "*" } : {};
  return (
    <Text>
      {label}
      {kind === "confirm" ? " (y/N) " : ": "}
      <Written line={line} active={open} {...mask} />
    </Text>
  );
}
