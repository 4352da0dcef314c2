import type { Message, Picture } from "../../commands/chat/answer.ts";
import { type Fence, markdownLine } from "../../output/markdown.ts";
import { sanitize } from "../../output/sanitize.ts";
import { createStyle } from "../../output/style.ts";

/** What the header shows about a model; `limit` is the plan's units, null for no limit. */
export type ModelFacts = {
  readonly id: string;
  readonly units: number;
  readonly limit: number | null;
  readonly sees: boolean;
};

/** A finished entry on the screen. */
export type Entry = {
  readonly key: number;
  readonly kind: "head" | "prompt" | "answer" | "note" | "error";
  readonly text: string;
  /** The fence of the code block that a line of an answer belongs to. */
  readonly fence: Fence;
};

/** The state of a conversation. */
export type ChatState = {
  readonly model: ModelFacts;
  readonly system: string | undefined;
  /** The conversation, without the system message. */
  readonly messages: readonly Message[];
  readonly printed: readonly Entry[];
  /** The answer that is being streamed: its text, and its last line, which is not among the entries yet. */
  readonly coming: { readonly said: string; readonly tail: string; readonly fence: Fence } | null;
  /** Files to send with the next prompt. */
  readonly files: readonly string[];
  /** Pictures to send with the next prompt. */
  readonly pictures: readonly Picture[];
  /** The last prompt, for `/retry`. */
  readonly lastPrompt: string | null;
};

/** What can happen in a conversation. */
export type ChatAction =
  | { readonly type: "asked"; readonly text: string }
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "ended"; readonly note: string | null }
  | { readonly type: "failed"; readonly text: string }
  | { readonly type: "noted"; readonly text: string }
  | { readonly type: "complained"; readonly text: string }
  | { readonly type: "attached"; readonly name: string; readonly part: string }
  | { readonly type: "pictured"; readonly picture: Picture }
  | { readonly type: "forgot" }
  | { readonly type: "chose"; readonly model: ModelFacts }
  | { readonly type: "instructed"; readonly system: string | undefined };

/** Returns the initial state, with the header as its first entry. */
export function startState(model: ModelFacts, system: string | undefined, unicode: boolean): ChatState {
  const state = { model, system, messages: [], printed: [], coming: null, files: [], pictures: [], lastPrompt: null };
  return print(state, "head", headText(model, unicode));
}

/** Returns the state after an action. */
export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case "asked":
      return print(
        {
          ...state,
          messages: [...state.messages, toUserMessage(state, action.text)],
          coming: { said: "", tail: "", fence: null },
          files: [],
          pictures: [],
          lastPrompt: action.text,
        },
        "prompt",
        action.text,
      );
    case "said":
      return hear(state, action.text);
    case "ended":
      return close(state, "note", action.note);
    case "failed":
      return close(state, "error", action.text);
    case "noted":
      return print(state, "note", action.text);
    case "complained":
      return print(state, "error", action.text);
    case "attached":
      return print(
        { ...state, files: [...state.files, action.part] },
        "note",
        `${action.name} goes with the next prompt.`,
      );
    case "pictured":
      return print(
        { ...state, pictures: [...state.pictures, action.picture] },
        "note",
        `${action.picture.name} goes with the next prompt.`,
      );
    case "forgot":
      return print({ ...state, messages: [], lastPrompt: null }, "note", "The conversation so far is forgotten.");
    case "chose":
      return print({ ...state, model: action.model }, "note", `Talking to ${action.model.id} from here on.`);
    case "instructed":
      return print(
        { ...state, system: action.system },
        "note",
        action.system === undefined ? "No instructions." : "The instructions hold from the next prompt on.",
      );
  }
}

/** Returns the messages to send, with the system message first. */
export function messagesToSend(state: ChatState, prompt: string): Message[] {
  const { system, messages } = state;
  const all: Message[] = [...messages, toUserMessage(state, prompt)];
  return system === undefined ? all : [{ role: "system", content: system }, ...all];
}

function toUserMessage({ files, pictures }: ChatState, prompt: string): Message {
  const content = [...files, prompt].join("\n\n");
  return { role: "user", content, ...(pictures.length > 0 && { pictures }) };
}

/** Returns the state before the last exchange, to repeat its prompt. */
export function withoutLastExchange(state: ChatState): ChatState {
  const last = state.messages.findLastIndex(({ role }) => role === "user");
  const { content: asked, pictures = [] } = state.messages[last] ?? {};
  if (asked === undefined || state.lastPrompt === null || !asked.endsWith(state.lastPrompt)) return state;
  const files = asked.slice(0, -state.lastPrompt.length).trimEnd();
  return { ...state, messages: state.messages.slice(0, last), files: files === "" ? [] : [files], pictures };
}

/** Returns the conversation as Markdown. */
export function transcript({ model, system, messages }: ChatState): string {
  const parts = messages.map(({ role, content, pictures = [] }) => {
    const shown = pictures.map(({ name }) => `\nPicture: ${name}\n`).join("");
    return `## ${role === "user" ? "You" : model.id}\n\n${content}\n${shown}`;
  });
  const instructions = system === undefined ? [] : [`## Instructions\n\n${system}\n`];
  return [`# Conversation with ${model.id}\n`, ...instructions, ...parts].join("\n");
}

function headText({ id, units, limit }: ModelFacts, unicode: boolean): string {
  const dot = unicode ? " · " : " | ";
  const share = limit === null ? `${units} ${units === 1 ? "unit" : "units"}` : `${units} of your ${limit} units`;
  return [id.slice(id.lastIndexOf("/") + 1), share, "/help for commands, Ctrl-D to leave"].join(dot);
}

/** Adds a part of the answer: complete lines become entries, the last line stays open. */
function hear(state: ChatState, text: string): ChatState {
  if (state.coming === null) return state;
  const lines = (state.coming.tail + sanitize(text)).split("\n");
  const tail = lines.pop() ?? "";
  const coming = { ...state.coming, said: state.coming.said + text, tail };
  return lines.reduce<ChatState>(printAnswer, { ...state, coming });
}

function close(state: ChatState, kind: "note" | "error", text: string | null): ChatState {
  if (state.coming === null) return state;
  const { said, tail } = state.coming;
  const messages: readonly Message[] =
    said === "" ? state.messages.slice(0, -1) : [...state.messages, { role: "assistant", content: said }];
  const shown = { ...(tail === "" ? state : printAnswer(state, tail)), messages, coming: null };
  return text === null ? shown : print(shown, kind, text);
}

/** Adds a line of an answer, and tracks whether the next one is in a code block. */
function printAnswer(state: ChatState, line: string): ChatState {
  if (state.coming === null) return state;
  const { fence } = state.coming;
  const coming = { ...state.coming, fence: markdownLine(line, fence, PLAIN).fence };
  return { ...print(state, "answer", line, fence), coming };
}

const PLAIN = createStyle(false, true);

function print(state: ChatState, kind: Entry["kind"], text: string, fence: Fence = null): ChatState {
  return { ...state, printed: [...state.printed, { key: state.printed.length, kind, text: sanitize(text), fence }] };
}
