import { useReducer, useRef } from "react";
import { type Message, type Picture, type Piece, statsText } from "../../commands/chat/answer.ts";
import { HELP, type Slash } from "./slash.ts";
import {
  type ChatAction,
  type ChatState,
  chatReducer,
  type ModelFacts,
  messagesToSend,
  startState,
  transcript,
  withoutLastExchange,
} from "./state.ts";

/** The start and the effects of a conversation. */
export type ConversationProps = {
  readonly start: ModelFacts;
  readonly system?: string;
  readonly color: boolean;
  readonly unicode: boolean;
  answer(request: { model: string; messages: readonly Message[] }, signal: AbortSignal): AsyncIterable<Piece>;
  lookUp(id: string): Promise<ModelFacts>;
  save(path: string, text: string): Promise<void>;
  /** Reads a text file as part of a prompt. */
  readFile(path: string): Promise<string>;
  /** Loads a picture from a path or URL. */
  readPicture(place: string): Promise<Picture>;
  /** Prompts of earlier conversations, oldest first. */
  readonly earlier: readonly string[];
  /** Receives all prompts whenever one is added. */
  keep(prompts: readonly string[]): void;
  /** Returns the message for an error; null when the answer was stopped. */
  explain(error: unknown): string | null;
};

type Action = ChatAction | { readonly type: "retried" };

const reduce = (state: ChatState, action: Action): ChatState =>
  action.type === "retried" ? withoutLastExchange(state) : chatReducer(state, action);

/** Returns the state of a conversation, and functions to send prompts, run commands and stop an answer. */
export function useConversation(props: ConversationProps, leave: () => void) {
  const [state, dispatch] = useReducer(reduce, props, ({ start, system, unicode }) =>
    startState(start, system, unicode),
  );
  const running = useRef<AbortController | null>(null);

  async function ask(prompt: string, from: ChatState): Promise<void> {
    const control = new AbortController();
    running.current = control;
    dispatch({ type: "asked", text: prompt });
    let note: string | null = null;
    try {
      const request = { model: from.model.id, messages: messagesToSend(from, prompt) };
      for await (const piece of props.answer(request, control.signal)) {
        if (piece.kind === "text") dispatch({ type: "said", text: piece.text });
        else if (piece.kind === "stats") note = statsText(piece.stats, props.unicode);
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
      dispatch({ type: "complained", text: props.explain(error) ?? "stopped" });
    }
  }

  async function obey(slash: Slash): Promise<void> {
    switch (slash.type) {
      case "leave":
        return leave();
      case "help":
        return dispatch({ type: "noted", text: HELP });
      case "clear":
        return dispatch({ type: "forgot" });
      case "system":
        return dispatch({ type: "instructed", system: slash.text ?? undefined });
      case "unknown":
        return dispatch({ type: "complained", text: `There is no /${slash.name}. /help lists the commands.` });
      case "model": {
        const { id } = slash;
        if (id === null) return dispatch({ type: "noted", text: state.model.id });
        return attempt(async () => ({ type: "chose", model: await props.lookUp(id) }));
      }
      case "file": {
        const { path } = slash;
        if (path === null) return dispatch({ type: "complained", text: "Which file? /file <path>" });
        return attempt(async () => ({ type: "attached", name: path, part: await props.readFile(path) }));
      }
      case "image": {
        const { path } = slash;
        if (path === null) return dispatch({ type: "complained", text: "Which picture? /image <path>" });
        if (!state.model.sees)
          return dispatch({ type: "complained", text: `${state.model.id} takes no pictures. /model chooses another.` });
        return attempt(async () => ({ type: "pictured", picture: await props.readPicture(path) }));
      }
      case "save":
        return attempt(async () => {
          await props.save(slash.path, transcript(state));
          return { type: "noted", text: `Saved to ${slash.path}.` };
        });
      case "retry": {
        if (state.lastPrompt === null)
          return dispatch({ type: "complained", text: "There is no prompt to ask again." });
        dispatch({ type: "retried" });
        return ask(state.lastPrompt, withoutLastExchange(state));
      }
    }
  }

  return { state, ask: (prompt: string) => ask(prompt, state), obey, stop: () => running.current?.abort() };
}
