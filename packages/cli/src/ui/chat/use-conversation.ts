import { useEffect, useReducer, useRef } from "react";
import { type AnswerPiece, formatStats, type Message, type Picture } from "../../chat/answer.ts";
import { formatTranscript, type Transcript } from "../../chat/transcript.ts";
import { HELP_TEXT, type SlashCommand } from "./slash-command.ts";
import {
  buildMessages,
  type ChatAction,
  type ChatState,
  chatReducer,
  createInitialState,
  type ModelInfo,
  type ResumedChat,
  withoutLastExchange,
} from "./state.ts";

/** The start and the effects of a conversation. */
export type ConversationProps = {
  readonly start: ModelInfo;
  readonly system?: string;
  /** The conversation to continue; a new one by default. */
  readonly resumed?: ResumedChat;
  readonly color: boolean;
  readonly unicode: boolean;
  streamAnswer(
    request: { model: string; messages: readonly Message[] },
    signal: AbortSignal,
  ): AsyncIterable<AnswerPiece>;
  loadModel(id: string): Promise<ModelInfo>;
  /** Writes the conversation to a file, to that of before or a free one for null; returns its path. */
  save(path: string | null, text: string): Promise<string>;
  /** Receives the conversation after each answer and stores it for `--continue`. */
  keep(transcript: Transcript): void;
  /** Reads a text or a document as part of a prompt. */
  readFile(path: string): Promise<string>;
  /** Loads a picture from a path or URL. */
  readPicture(source: string): Promise<Picture>;
  /** Prompts of earlier conversations, oldest first. */
  readonly history: readonly string[];
  /** Receives all prompts whenever one is added. */
  saveHistory(prompts: readonly string[]): void;
  /** Returns the paths of files and folders that begin with a text. */
  listPaths(start: string): Promise<readonly string[]>;
  /** Opens a text in the person's editor, and returns the saved text. */
  editText(text: string): Promise<string>;
  /** Stops the program until a shell continues it. */
  stopProcess(): Promise<void>;
  /** Returns the message for an error; null when the answer was stopped. */
  explain(error: unknown): string | null;
};

type Action = ChatAction | { readonly type: "retried" };

const reduce = (state: ChatState, action: Action): ChatState =>
  action.type === "retried" ? withoutLastExchange(state) : chatReducer(state, action);

/** Returns the state of a conversation, and functions to send prompts, run commands, stop an answer and report an error. */
export function useConversation(props: ConversationProps, leave: () => void) {
  const [state, dispatch] = useReducer(reduce, props, ({ start, system, unicode, resumed }) =>
    createInitialState(start, system, unicode, resumed),
  );
  const running = useRef<AbortController | null>(null);
  const { keep } = props;
  const { messages, system, pendingAnswer } = state;
  const isAnswered = pendingAnswer === null && messages.at(-1)?.role === "assistant";
  useEffect(() => {
    if (isAnswered && messages !== props.resumed?.messages) keep({ model: state.model.id, system, messages });
  }, [keep, isAnswered, messages, system, state.model.id, props.resumed]);

  async function ask(prompt: string, fromState: ChatState): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    dispatch({ type: "asked", text: prompt });
    let note: string | null = null;
    try {
      const request = { model: fromState.model.id, messages: buildMessages(fromState, prompt) };
      for await (const piece of props.streamAnswer(request, controller.signal)) {
        if (piece.kind === "text") dispatch({ type: "said", text: piece.text });
        else if (piece.kind === "reasoning") dispatch({ type: "thought", text: piece.text });
        else if (piece.kind === "stats") note = formatStats(piece.stats, props.unicode);
      }
      dispatch({ type: "ended", note });
    } catch (error) {
      const text = props.explain(error);
      dispatch(text === null ? { type: "ended", note: "stopped" } : { type: "failed", text });
    } finally {
      running.current = null;
    }
  }

  async function attempt(action: () => Promise<Action>): Promise<void> {
    try {
      dispatch(await action());
    } catch (error) {
      report(error);
    }
  }

  function report(error: unknown): void {
    dispatch({ type: "complained", text: props.explain(error) ?? "stopped" });
  }

  async function runSlashCommand(command: SlashCommand): Promise<void> {
    switch (command.type) {
      case "leave":
        return leave();
      case "help":
        return dispatch({ type: "noted", text: HELP_TEXT });
      case "clear":
        return dispatch({ type: "forgot" });
      case "system":
        return dispatch({ type: "instructed", system: command.text ?? undefined });
      case "unknown":
        return dispatch({ type: "complained", text: `There is no /${command.name}. /help lists the commands.` });
      case "model": {
        const { id } = command;
        if (id === null) return dispatch({ type: "noted", text: state.model.id });
        return attempt(async () => ({ type: "chose", model: await props.loadModel(id) }));
      }
      case "file": {
        const { path } = command;
        if (path === null) return dispatch({ type: "complained", text: "Which file? /file <path>" });
        return attempt(async () => ({ type: "attached", name: path, part: await props.readFile(path) }));
      }
      case "image": {
        const { path } = command;
        if (path === null) return dispatch({ type: "complained", text: "Which picture? /image <path>" });
        if (!state.model.acceptsImages)
          return dispatch({ type: "complained", text: `${state.model.id} takes no pictures. /model chooses another.` });
        return attempt(async () => ({ type: "pictured", picture: await props.readPicture(path) }));
      }
      case "save":
        return attempt(async () => {
          const transcript = { model: state.model.id, system: state.system, messages: state.messages };
          const path = await props.save(command.path, formatTranscript(transcript));
          return { type: "noted", text: `Saved to ${path}. feather chat --continue goes on with it.` };
        });
      case "retry": {
        if (state.lastPrompt === null)
          return dispatch({ type: "complained", text: "There is no prompt to ask again." });
        dispatch({ type: "retried" });
        return ask(state.lastPrompt, withoutLastExchange(state));
      }
    }
  }

  return {
    state,
    ask: (prompt: string) => ask(prompt, state),
    runSlashCommand,
    stop: () => running.current?.abort(),
    report,
  };
}
