import { Box, Static, Text, useApp, useInput, usePaste, useWindowSize } from "ink";
import { useState } from "react";
import stringWidth from "string-width";
import { wrapWords } from "../../output/wrap.ts";
import { stripControlCharacters, toEdit } from "../line/keys.ts";
import { EMPTY_LINE, editLine, type Line, lineText } from "../line/line.ts";
import { LineView } from "../line/line-view.tsx";
import { EntryView, promptSign } from "./entry.tsx";
import { parseSlashCommand } from "./slash-command.ts";
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
  const [line, setLine] = useState(EMPTY_LINE);
  const [promptHistory, setPromptHistory] = useState<{
    readonly prompts: readonly string[];
    readonly position: number;
  }>({
    prompts: props.history,
    position: props.history.length,
  });
  const { state, ask, runSlashCommand, stop } = useConversation(props, exit);
  const { columns: width } = useWindowSize();
  const [isLeaving, setIsLeaving] = useState(false);
  const isAnswering = state.pendingAnswer !== null;

  function submit(submitted: Line): void {
    const text = lineText(submitted);
    if (text.endsWith("\\")) {
      setLine(editLine(editLine(submitted, { type: "backspace" }), { type: "insert", text: "\n" }));
      return;
    }
    if (text.trim() === "") return;
    const prompts = [...promptHistory.prompts, text];
    setPromptHistory({ prompts, position: prompts.length });
    props.saveHistory(prompts);
    setLine(EMPTY_LINE);
    const slashCommand = parseSlashCommand(text);
    void (slashCommand === null ? ask(text) : runSlashCommand(slashCommand));
  }

  function recall(step: -1 | 1): void {
    const position = Math.max(0, Math.min(promptHistory.prompts.length, promptHistory.position + step));
    setPromptHistory({ ...promptHistory, position });
    setLine(editLine(EMPTY_LINE, { type: "set", text: promptHistory.prompts[position] ?? "" }));
  }

  useInput((input, key) => {
    if (key.ctrl && input === "c") {
      if (isLeaving && !isAnswering) return exit();
      setIsLeaving(true);
      setLine(EMPTY_LINE);
      return stop();
    }
    setIsLeaving(false);
    if (key.ctrl && input === "d" && line.characters.length === 0) {
      stop();
      return exit();
    }
    if (isAnswering) return;
    if (key.return) return submit(line);
    // Fast typing arrives in one chunk with its Enter; input typed before the program listened has a line feed instead of a
    // carriage return. A line feed alone is Ctrl-J, which starts a new line.
    const [typed = "", ...rest] = input === "\n" ? [input] : input.split(/[\r\n]/);
    if (rest.length > 0) {
      submit(editLine(line, { type: "insert", text: stripControlCharacters(typed) }));
      return;
    }
    if (key.upArrow || key.downArrow) return recall(key.upArrow ? -1 : 1);
    const edit = toEdit(input, key);
    if (edit !== null) setLine((before) => editLine(before, edit));
  });

  usePaste((text) => {
    if (!isAnswering) setLine((before) => editLine(before, { type: "insert", text: stripControlCharacters(text) }));
  });

  return (
    <Box flexDirection="column">
      <Static items={[...state.entries]}>
        {(entry) => <EntryView key={entry.key} entry={entry} display={{ ...props, width }} />}
      </Static>
      {state.pendingAnswer === null ? (
        <Box marginTop={1}>
          <Text dimColor={props.color}>{promptSign(props.unicode)}</Text>
          {isLeaving ? <Text dimColor={props.color}>Ctrl-C again leaves</Text> : <LineView line={line} active />}
        </Box>
      ) : (
        <Text dimColor={props.color && state.pendingAnswer.content === ""}>
          {wrapWords(state.pendingAnswer.tail, width, stringWidth) ||
            formatWaiting(state.pendingAnswer.content, props.unicode)}
        </Text>
      )}
    </Box>
  );
}

const formatWaiting = (said: string, unicode: boolean) => (said === "" ? (unicode ? "…" : "...") : " ");
