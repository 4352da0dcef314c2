import { Box, Static, Text, useApp, usePaste, useStdin, useStdout, useWindowSize } from "ink";
import { useState } from "react";
import stringWidth from "string-width";
import { sanitizeLine } from "../../output/sanitize.ts";
import { wrapWords } from "../../output/wrap.ts";
import { LineView } from "../line/line-view.tsx";
import { useKeys } from "../line/use-keys.ts";
import { lastRows, rowsAroundCursor } from "../line/visible-rows.ts";
import { releaseInput } from "../release-input.ts";
import { EntryView, PromptSign } from "./entry.tsx";
import { parseSlashCommand } from "./slash-command.ts";
import type { PendingAnswer } from "./state.ts";
import { type ConversationProps, useConversation } from "./use-conversation.ts";
import { type PromptInput, usePromptInput } from "./use-prompt-input.ts";

/** Props of `Chat`. */
export type ChatProps = ConversationProps;

const CLEAR_SCREEN = "\u001b[H\u001b[2J";
/** Rows of a long input that are shown while an answer is streamed. */
const INPUT_ROWS = 5;
/** Rows of the model's reasoning that are shown. */
const REASONING_ROWS = 4;

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
  const { exit, suspendTerminal } = useApp();
  const { stdin } = useStdin();
  const { write } = useStdout();
  const { columns, rows } = useWindowSize();
  const { state, ask, runSlashCommand, stop, report } = useConversation(props, exit);
  /** How many entries are drawn while another program has the terminal; null for all. */
  const [drawnEntries, setDrawnEntries] = useState<number | null>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  const isAnswering = state.pendingAnswer !== null;
  const prompt = usePromptInput({
    history: props.history,
    saveHistory: props.saveHistory,
    isBusy: isAnswering,
    listPaths: props.listPaths,
    async edit(text) {
      let edited: string | null = null;
      await suspend(async () => {
        edited = await props.editText(text);
      });
      return edited;
    },
    send(text) {
      const slashCommand = parseSlashCommand(text);
      void (slashCommand === null ? ask(text) : runSlashCommand(slashCommand));
    },
  });

  /**
   * Gives the terminal to another program. Entries that are added during that time are drawn afterwards, when Ink draws
   * again.
   */
  async function suspend(action: () => Promise<void>): Promise<void> {
    setDrawnEntries(state.entries.length);
    try {
      await suspendTerminal(() => releaseInput(stdin, action));
    } catch (error) {
      report(error);
    } finally {
      setDrawnEntries(null);
    }
  }

  useKeys((input, key) => {
    if (key.ctrl && input === "c") {
      if (isLeaving && !isAnswering) return exit();
      setIsLeaving(true);
      prompt.clear();
      return stop();
    }
    setIsLeaving(false);
    if (key.ctrl && input === "d" && prompt.line.characters.length === 0) {
      stop();
      return exit();
    }
    if (key.ctrl && input === "z") return void suspend(props.stopProcess);
    if (key.ctrl && input === "l") return write(CLEAR_SCREEN);
    prompt.press(input, key);
  });
  usePaste(prompt.insert);

  const display = { color: props.color, unicode: props.unicode, width: columns };
  // The part that is redrawn must be lower than the screen: Ink would leave a copy of it in the scrollback for each
  // frame.
  const liveRows = Math.max(2, rows - 3);
  const inputRows = isAnswering ? Math.min(INPUT_ROWS, liveRows - 1) : liveRows;
  return (
    <Box flexDirection="column">
      <Static items={state.entries.slice(0, drawnEntries ?? state.entries.length)}>
        {(entry) => <EntryView key={entry.key} entry={entry} display={display} />}
      </Static>
      {state.pendingAnswer === null ? null : (
        <PendingAnswerView
          answer={state.pendingAnswer}
          rows={Math.max(1, liveRows - inputRows - 1)}
          display={display}
        />
      )}
      {isLeaving && !isAnswering ? (
        <Box marginTop={1}>
          <PromptSign {...display} />
          <Text dimColor={props.color}>Ctrl-C again leaves</Text>
        </Box>
      ) : (
        <InputView prompt={prompt} rows={inputRows} isAnswering={isAnswering} display={display} />
      )}
    </Box>
  );
}

type Display = { readonly color: boolean; readonly unicode: boolean; readonly width: number };

/** The line of an answer that is not complete yet, or what the model thinks before it. */
function PendingAnswerView({ answer, rows, display }: { answer: PendingAnswer; rows: number; display: Display }) {
  const wrap = (text: string) => wrapWords(text, display.width, stringWidth);
  const open = [...answer.tableRows, answer.tail].join("\n");
  if (answer.content !== "") return <Text>{lastRows(wrap(open), rows) || " "}</Text>;
  const waiting = display.unicode ? "…" : "...";
  const reasoning = lastRows(wrap(answer.reasoning.trim()), Math.min(rows, REASONING_ROWS));
  return <Text dimColor={display.color}>{reasoning || waiting}</Text>;
}

/** The line that is typed on. While an answer is streamed it is shown once it has text. */
function InputView(props: { prompt: PromptInput; rows: number; isAnswering: boolean; display: Display }) {
  const { prompt, rows, isAnswering, display } = props;
  if (isAnswering && prompt.line.characters.length === 0) return null;
  return (
    <Box marginTop={1} flexDirection="column">
      <Box>
        <PromptSign {...display} />
        <LineView line={rowsAroundCursor(prompt.line, display.width - 2, rows)} active />
      </Box>
      {prompt.candidates.length === 0 ? null : (
        <Text dimColor={display.color} wrap="truncate-end">
          {`  ${prompt.candidates.map(sanitizeLine).join("  ")}`}
        </Text>
      )}
      {prompt.query === null ? null : <Text dimColor={display.color}>{`  search: ${prompt.query}`}</Text>}
      {prompt.isQueued ? <Text dimColor={display.color}>{"  goes when the answer is complete"}</Text> : null}
    </Box>
  );
}
