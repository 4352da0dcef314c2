import { Box, Static, Text, useApp, useInput, usePaste, useWindowSize } from "ink";
import { useState } from "react";
import stringWidth from "string-width";
import { wrapWords } from "../../output/wrap.ts";
import { editOf, printable } from "../line/keys.ts";
import { EMPTY, editLine, type Line, textOf } from "../line/line.ts";
import { Written } from "../line/written.tsx";
import { EntryView, sign } from "./entry.tsx";
import { slashOf } from "./slash.ts";
import { type ConversationProps, useConversation } from "./use-conversation.ts";

/** Props of `Chat`. */
export type ChatProps = ConversationProps;

/**
 * The chat screen:
 *
 *     › why do feathers insulate?
 *     Mostly trapped air.
 *       212 tokens · 62/s · first after 236 ms
 *
 *     › ▌
 */
export function Chat(props: ChatProps) {
  const { exit } = useApp();
  const [line, setLine] = useState(EMPTY);
  const [earlier, setEarlier] = useState<{ readonly prompts: readonly string[]; readonly at: number }>({
    prompts: props.earlier,
    at: props.earlier.length,
  });
  const { state, ask, obey, stop } = useConversation(props, exit);
  const { columns: width } = useWindowSize();
  const [leaving, setLeaving] = useState(false);
  const answering = state.coming !== null;

  function submit(written: Line): void {
    const text = textOf(written);
    if (text.endsWith("\\")) {
      setLine(editLine(editLine(written, { type: "backspace" }), { type: "insert", text: "\n" }));
      return;
    }
    if (text.trim() === "") return;
    const prompts = [...earlier.prompts, text];
    setEarlier({ prompts, at: prompts.length });
    props.keep(prompts);
    setLine(EMPTY);
    const slash = slashOf(text);
    void (slash === null ? ask(text) : obey(slash));
  }

  function recall(step: -1 | 1): void {
    const at = Math.max(0, Math.min(earlier.prompts.length, earlier.at + step));
    setEarlier({ ...earlier, at });
    setLine(editLine(EMPTY, { type: "set", text: earlier.prompts[at] ?? "" }));
  }

  useInput((input, key) => {
    if (key.ctrl && input === "c") {
      if (leaving && !answering) return exit();
      setLeaving(true);
      setLine(EMPTY);
      return stop();
    }
    setLeaving(false);
    if (key.ctrl && input === "d" && line.letters.length === 0) {
      stop();
      return exit();
    }
    if (answering) return;
    if (key.return) return submit(line);
    // Fast typing arrives in one chunk with its Enter; input typed before the program listened has a line feed instead of a
    // carriage return. A line feed alone is Ctrl-J, which starts a new line.
    const [typed = "", ...rest] = input === "\n" ? [input] : input.split(/[\r\n]/);
    if (rest.length > 0) {
      submit(editLine(line, { type: "insert", text: printable(typed) }));
      return;
    }
    if (key.upArrow || key.downArrow) return recall(key.upArrow ? -1 : 1);
    const edit = editOf(input, key);
    if (edit !== null) setLine((before) => editLine(before, edit));
  });

  usePaste((text) => {
    if (!answering) setLine((before) => editLine(before, { type: "insert", text: printable(text) }));
  });

  return (
    <Box flexDirection="column">
      <Static items={[...state.printed]}>
        {(entry) => <EntryView key={entry.key} entry={entry} look={{ ...props, width }} />}
      </Static>
      {state.coming === null ? (
        <Box marginTop={1}>
          <Text dimColor={props.color}>{sign(props.unicode)}</Text>
          {leaving ? <Text dimColor={props.color}>Ctrl-C again leaves</Text> : <Written line={line} active />}
        </Box>
      ) : (
        <Text dimColor={props.color && state.coming.said === ""}>
          {wrapWords(state.coming.tail, width, stringWidth) || waiting(state.coming.said, props.unicode)}
        </Text>
      )}
    </Box>
  );
}

const waiting = (said: string, unicode: boolean) => (said === "" ? (unicode ? "…" : "...") : " ");
