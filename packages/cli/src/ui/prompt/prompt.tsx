import { Text, useApp, useInput } from "ink";
import { useEffect, useState } from "react";
import { editOf } from "../line/keys.ts";
import { EMPTY, editLine, textOf } from "../line/line.ts";
import { Written } from "../line/written.tsx";

export type PromptProps = {
  readonly label: string;
  readonly kind: "line" | "secret" | "confirm";
  readonly unicode: boolean;
  /** Is told of the answer; never when the person leaves with Ctrl-C or Ctrl-D. */
  onAnswer(text: string): void;
};

/** One question: `Email: maria@example.com`, `Password: ••••`, `Delete it? (y/N) `. */
export function Prompt({ label, kind, unicode, onAnswer }: PromptProps) {
  const { exit } = useApp();
  const [line, setLine] = useState(EMPTY);
  const [open, setOpen] = useState(true);
  // Leaving waits for the last frame, so that the answer stays on the screen.
  useEffect(() => {
    if (!open) exit();
  }, [open, exit]);
  const leave = () => setOpen(false);
  useInput(
    (input, key) => {
      if (key.ctrl && (input === "c" || (input === "d" && line.letters.length === 0))) return leave();
      // Text that was pasted or typed ahead may bring its own line end.
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
