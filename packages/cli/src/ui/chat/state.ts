import type { Message, Picture } from "../../chat/answer.ts";
import { type Fence, renderMarkdownLine } from "../../output/markdown/markdown.ts";
import { isTableRow } from "../../output/markdown/markdown-block.ts";
import { sanitize } from "../../output/sanitize.ts";
import { createStyle } from "../../output/style.ts";

/** What the header shows about a model; `limit` is the plan's units, null for no limit. */
export type ModelInfo = {
  readonly id: string;
  readonly units: number;
  readonly limit: number | null;
  readonly acceptsImages: boolean;
};

/** A finished entry on the screen. */
export type Entry = {
  readonly key: number;
  readonly kind: "head" | "prompt" | "answer" | "note" | "error";
  readonly text: string;
  /** The fence of the code block that a line of an answer belongs to. */
  readonly fence: Fence;
};

/** An answer that is being streamed. */
export type PendingAnswer = {
  readonly content: string;
  /** Its last line, which is not among the entries yet. */
  readonly tail: string;
  readonly fence: Fence;
  /** Lines of a table, which become an entry together when it is complete. */
  readonly tableRows: readonly string[];
  /** What the model thinks before it answers. */
  readonly reasoning: string;
};

/** The state of a conversation. */
export type ChatState = {
  readonly model: ModelInfo;
  readonly system: string | undefined;
  /** The conversation, without the system message. */
  readonly messages: readonly Message[];
  readonly entries: readonly Entry[];
  /** The answer that is being streamed; null while there is none. */
  readonly pendingAnswer: PendingAnswer | null;
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
  | { readonly type: "thought"; readonly text: string }
  | { readonly type: "ended"; readonly note: string | null }
  | { readonly type: "failed"; readonly text: string }
  | { readonly type: "noted"; readonly text: string }
  | { readonly type: "complained"; readonly text: string }
  | { readonly type: "attached"; readonly name: string; readonly part: string }
  | { readonly type: "pictured"; readonly picture: Picture }
  | { readonly type: "forgot" }
  | { readonly type: "chose"; readonly model: ModelInfo }
  | { readonly type: "instructed"; readonly system: string | undefined };

/** A continued conversation: the note for the person, and the messages so far. */
export type ResumedChat = { readonly note: string; readonly messages: readonly Message[] };

/**
 * Returns the initial state, with the header as its first entry. For a continued conversation its last exchange
 * follows.
 */
export function createInitialState(
  model: ModelInfo,
  system: string | undefined,
  unicode: boolean,
  resumed?: ResumedChat,
): ChatState {
  const state = {
    model,
    system,
    messages: resumed?.messages ?? [],
    entries: [],
    pendingAnswer: null,
    files: [],
    pictures: [],
    lastPrompt: null,
  };
  const withHead = addEntry(state, "head", formatHeader(model, unicode));
  return resumed === undefined ? withHead : addLastExchange(withHead, resumed);
}

function addLastExchange(state: ChatState, { note, messages }: ResumedChat): ChatState {
  const noted = addEntry(state, "note", note);
  const last = messages.slice(messages.findLastIndex(({ role }) => role === "user"));
  return last.reduce(addMessage, noted);
}

/** Adds a message of before to the screen. */
function addMessage(state: ChatState, { role, content }: Message): ChatState {
  if (role === "user") return addEntry({ ...state, lastPrompt: content }, "prompt", content);
  const answering = { ...state, pendingAnswer: EMPTY_ANSWER };
  const { messages } = state;
  return { ...finishAnswer(appendAnswer(answering, content), "note", null), messages };
}

/** Returns the state after an action. */
export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case "asked":
      return addEntry(
        {
          ...state,
          messages: [...state.messages, toUserMessage(state, action.text)],
          pendingAnswer: EMPTY_ANSWER,
          files: [],
          pictures: [],
          lastPrompt: action.text,
        },
        "prompt",
        action.text,
      );
    case "said":
      return appendAnswer(state, action.text);
    case "thought":
      return appendReasoning(state, action.text);
    case "ended":
      return finishAnswer(state, "note", action.note);
    case "failed":
      return finishAnswer(state, "error", action.text);
    case "noted":
      return addEntry(state, "note", action.text);
    case "complained":
      return addEntry(state, "error", action.text);
    case "attached":
      return addEntry(
        { ...state, files: [...state.files, action.part] },
        "note",
        `${action.name} goes with the next prompt.`,
      );
    case "pictured":
      return addEntry(
        { ...state, pictures: [...state.pictures, action.picture] },
        "note",
        `${action.picture.name} goes with the next prompt.`,
      );
    case "forgot":
      return addEntry({ ...state, messages: [], lastPrompt: null }, "note", "The conversation so far is forgotten.");
    case "chose":
      return addEntry({ ...state, model: action.model }, "note", `Talking to ${action.model.id} from here on.`);
    case "instructed":
      return addEntry(
        { ...state, system: action.system },
        "note",
        action.system === undefined ? "No instructions." : "The instructions hold from the next prompt on.",
      );
  }
}

/** Returns the messages to send, with the system message first. */
export function buildMessages(state: ChatState, prompt: string): Message[] {
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
  const { content: lastContent, pictures = [] } = state.messages[last] ?? {};
  if (lastContent === undefined || state.lastPrompt === null || !lastContent.endsWith(state.lastPrompt)) return state;
  const files = lastContent.slice(0, -state.lastPrompt.length).trimEnd();
  return { ...state, messages: state.messages.slice(0, last), files: files === "" ? [] : [files], pictures };
}

function formatHeader({ id, units, limit }: ModelInfo, unicode: boolean): string {
  const dot = unicode ? " · " : " | ";
  const share = limit === null ? `${units} ${units === 1 ? "unit" : "units"}` : `${units} of your ${limit} units`;
  return [id.slice(id.lastIndexOf("/") + 1), share, "/help for commands, Ctrl-D to leave"].join(dot);
}

const EMPTY_ANSWER: PendingAnswer = { content: "", tail: "", fence: null, tableRows: [], reasoning: "" };

/** Adds a part of the answer: complete lines become entries, the last line stays open. */
function appendAnswer(state: ChatState, text: string): ChatState {
  if (state.pendingAnswer === null) return state;
  const lines = (state.pendingAnswer.tail + sanitize(text)).split("\n");
  const tail = lines.pop() ?? "";
  const pendingAnswer = { ...state.pendingAnswer, content: state.pendingAnswer.content + text, tail };
  return lines.reduce<ChatState>(addAnswerLine, { ...state, pendingAnswer });
}

function appendReasoning(state: ChatState, text: string): ChatState {
  if (state.pendingAnswer === null) return state;
  const reasoning = state.pendingAnswer.reasoning + sanitize(text);
  return { ...state, pendingAnswer: { ...state.pendingAnswer, reasoning } };
}

function finishAnswer(state: ChatState, kind: "note" | "error", text: string | null): ChatState {
  if (state.pendingAnswer === null) return state;
  const { content, tail } = state.pendingAnswer;
  const messages: readonly Message[] =
    content === "" ? state.messages.slice(0, -1) : [...state.messages, { role: "assistant", content }];
  const withTail = tail === "" ? state : addAnswerLine(state, tail);
  const shownState = { ...addTable(withTail), messages, pendingAnswer: null };
  return text === null ? shownState : addEntry(shownState, kind, text);
}

/** Adds a line of an answer, and tracks whether the next one is in a code block. */
function addAnswerLine(state: ChatState, line: string): ChatState {
  if (state.pendingAnswer === null) return state;
  const { fence, tableRows } = state.pendingAnswer;
  if (fence === null && isTableRow(line))
    return { ...state, pendingAnswer: { ...state.pendingAnswer, tableRows: [...tableRows, line] } };
  const withTable = addTable(state);
  const pendingAnswer = { ...state.pendingAnswer, tableRows: [], fence: renderMarkdownLine(line, fence, PLAIN).fence };
  return { ...addEntry(withTable, "answer", line, fence), pendingAnswer };
}

/** Adds the lines of the table that was streamed last, if there is one. */
function addTable(state: ChatState): ChatState {
  const { tableRows = [] } = state.pendingAnswer ?? {};
  return tableRows.length === 0 ? state : addEntry(state, "answer", tableRows.join("\n"));
}

const PLAIN = createStyle(false, true);

function addEntry(state: ChatState, kind: Entry["kind"], text: string, fence: Fence = null): ChatState {
  return { ...state, entries: [...state.entries, { key: state.entries.length, kind, text: sanitize(text), fence }] };
}
