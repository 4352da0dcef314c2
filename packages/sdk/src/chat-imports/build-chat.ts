import type { ConversationEntry, ConversationWrite } from "../generated/schemas.ts";
import type { ChatSource, LeftOut, SourceChat, SourceMessage } from "./source-chat.ts";

/** A chat to store: by `conversations.put` and, in parts of at most 200, `conversations.putEntries`. */
export type ImportedChat = { id: string; conversation: ConversationWrite; entries: ConversationEntry[] };

const MAX_ENTRIES = 5_000;
const MAX_TEXT_LENGTH = 2_000_000;
const MAX_TITLE_LENGTH = 200;
const MAX_MODEL_LENGTH = 256;
/** Characters that the API refuses in titles, since they cannot be seen. Names of models are freed of them too. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be replaced
  /[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;
/** Half of a character of two units, such as what is left where a text was cut. */
const HALF_CHARACTER = /\p{Cs}/gu;

/**
 * Returns a chat as the API stores it. Its id comes from the source's, and those of
 * messages from their places in it, so that the same chat gets the same ids again. Messages that
 * follow one of the same role become one, as questions and answers take turns here.
 */
export async function buildChat(
  source: ChatSource,
  chat: SourceChat,
  leftOut: LeftOut,
  now: Date,
): Promise<ImportedChat | null> {
  const createdAt = chat.createdAt ?? chat.messages.find(({ at }) => at !== null)?.at ?? now;
  const turns = mergeTurns(chat.messages);
  leftOut.tooMany += Math.max(0, turns.length - MAX_ENTRIES);
  const id = await toUuid(`${source} ${chat.id}`);
  const entries = toEntries(turns.slice(0, MAX_ENTRIES), { chatId: id, createdAt, leftOut });
  if (entries.length === 0) {
    leftOut.emptyChats += 1;
    return null;
  }
  const title = toName(chat.title, MAX_TITLE_LENGTH);
  const conversation = {
    version: 0,
    title,
    is_named: title !== "",
    // Models of other programs are none of this server.
    models: [],
    settings: {},
    selected: {},
    is_pinned: chat.isPinned,
    is_archived: chat.isArchived,
    created_at: createdAt,
    updated_at: chat.updatedAt ?? entries.at(-1)?.created_at ?? createdAt,
    deleted_at: null,
  };
  return { id, conversation, entries };
}

/** Returns a name without characters that cannot be seen, cut to a length; empty for none. */
const toName = (name: string | null | undefined, maxLength: number): string =>
  (name ?? "").replace(HIDDEN, " ").trim().slice(0, maxLength).replace(HALF_CHARACTER, "\ufffd").trim();

function mergeTurns(messages: readonly SourceMessage[]): SourceMessage[] {
  const turns: SourceMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    // An answer before the first question is kept as an answer to an empty one.
    if (!last && message.role === "assistant") turns.push({ ...message, role: "user", text: "", model: null });
    if (last?.role === message.role)
      turns[turns.length - 1] = { ...message, at: last.at, text: `${last.text}\n\n${message.text}` };
    else turns.push(message);
  }
  return turns;
}

function toEntries(
  turns: readonly SourceMessage[],
  { chatId, createdAt, leftOut }: { chatId: string; createdAt: Date; leftOut: LeftOut },
): ConversationEntry[] {
  const entries: ConversationEntry[] = [];
  for (const [index, turn] of turns.entries()) {
    if (turn.text.length > MAX_TEXT_LENGTH) leftOut.cutTexts += 1;
    const previous = entries.at(-1);
    // A time of its own for each, later than the one before, since they are ordered by it.
    const earliest = previous ? previous.created_at.getTime() + 1 : createdAt.getTime();
    const at = new Date(Math.max(turn.at?.getTime() ?? 0, earliest));
    const shared = {
      id: `${chatId}-${index}`,
      text: turn.text.slice(0, MAX_TEXT_LENGTH).replaceAll("\0", "").replace(HALF_CHARACTER, "\ufffd"),
      created_at: at,
      saved_at: at,
    };
    const model = toName(turn.role === "user" ? turns[index + 1]?.model : turn.model, MAX_MODEL_LENGTH) || "unknown";
    entries.push(
      turn.role === "user"
        ? { ...shared, kind: "question", question: toQuestion(model, previous) }
        : { ...shared, kind: "answer", answer: toAnswer(turn, model, previous) },
    );
  }
  return entries;
}

const toQuestion = (model: string, previous: ConversationEntry | undefined) => ({
  after: previous ? [previous.id] : [],
  models: [model],
  attachments: [],
  results: [],
});

const toAnswer = ({ isComplete }: SourceMessage, model: string, previous: ConversationEntry | undefined) => ({
  question: previous?.id ?? "",
  lane: 0,
  model,
  reasoning: "",
  tool_calls: [],
  state: isComplete ? ("done" as const) : ("stopped" as const),
  finish_reason: null,
  error: null,
  metrics: null,
  receipt: null,
  request_id: null,
});

/** Returns a UUID (version 8) that is always the same for a text. */
async function toUuid(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).slice(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
