import { randomUUID } from "node:crypto";
import { type Conversation, type ConversationEntry, type Feather, isApiError } from "@feather/sdk";
import type { Message, Picture } from "../../../chat/answer.ts";
import { loadEntries, questionPlace, type StoredTurn, shownTurns } from "../../../chat/stored-chat.ts";
import type { Transcript } from "../../../chat/transcript.ts";

/** A chat of the server that is gone on with. */
export type ServerChat = {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: Date;
  readonly transcript: Transcript;
  /** Ids of the answers that the next question follows. */
  readonly after: readonly string[];
};

/** A question and its answer, to be added to a chat. */
export type Exchange = {
  readonly model: string;
  readonly prompt: string;
  readonly pictures: readonly Picture[];
  readonly answer: string;
  readonly at: Date;
};

/** The chats of the person among which one is looked for that is not archived and has an answer. */
const LOOKED_AT = 20;
const MAX_CONFLICTS = 5;

/** What was found: the chat that changed last, none, or that the credential may not read chats. */
export type Found = { readonly chat: ServerChat | null; readonly isRefused: boolean };

/** Finds the chat with an answer that changed last, if the organization keeps chats on the server and it changed after the time. */
export async function findServerChat(client: Feather, since: Date | null, signal: AbortSignal): Promise<Found> {
  try {
    const { chat_storage } = await client.organization.get({ signal });
    if (chat_storage !== "server") return { chat: null, isRefused: false };
    const { items } = await client.conversations.list({ perPage: LOOKED_AT }, { signal });
    for (const conversation of items) {
      if (since !== null && conversation.updated_at <= since) break;
      if (conversation.is_archived) continue;
      const chat = toServerChat(conversation, await loadEntries(client, conversation.id, signal));
      if (chat !== null) return { chat, isRefused: false };
    }
    return { chat: null, isRefused: false };
  } catch (error) {
    // A server of before has none of these calls, and what the organization decided may have changed.
    if (isApiError(error) && (error.status === 403 || error.status === 404))
      return { chat: null, isRefused: error.code === "key_scope_denied" };
    throw error;
  }
}

/** Returns a chat as it is gone on with: the branch that is shown, with the first answer to each question; null without an answer. */
function toServerChat(conversation: Conversation, entries: readonly ConversationEntry[]): ServerChat | null {
  const turns = shownTurns({ conversation, entries }).filter(({ answers }) => answers.some(({ text }) => text !== ""));
  const last = turns.at(-1);
  if (!last) return null;
  const { id, title, models, settings, updated_at } = conversation;
  const system = typeof settings.system === "string" && settings.system.trim() !== "" ? settings.system : undefined;
  return {
    id,
    title: title || "New chat",
    updatedAt: updated_at,
    transcript: {
      model: models[0] ?? last.answers[0]?.answer?.model ?? "",
      system,
      messages: turns.flatMap(toMessages),
    },
    after: last.answers.map((answer) => answer.id),
  };
}

function toMessages({ question, answers }: StoredTurn): Message[] {
  const files = question.question?.attachments ?? [];
  const texts = files
    .filter(({ kind }) => kind === "text")
    .map(({ name, data }) => `<file name="${name.replace(/["<>]/g, "_")}">\n${data}\n</file>`);
  const pictures = files.filter(({ kind }) => kind === "image").map(({ name, data }) => ({ name, url: data }));
  const content = [...texts, question.text].filter((text) => text !== "").join("\n\n");
  return [
    { role: "user", content, ...(pictures.length > 0 && { pictures }) },
    { role: "assistant", content: answers.find(({ text }) => text !== "")?.text ?? "" },
  ];
}

/** Adds an exchange to a chat, as a question after its last answers. Returns the chat with it. */
export async function addExchange(
  client: Feather,
  chat: ServerChat,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<ServerChat> {
  const [questionId, answerId] = [randomUUID(), randomUUID()];
  await client.conversations.putEntries(
    chat.id,
    { items: [toQuestion(questionId, chat, exchange), toAnswer(answerId, questionId, exchange)] },
    { signal },
  );
  await selectQuestion(client, chat, { questionId, at: exchange.at }, signal);
  return { ...chat, after: [answerId] };
}

/** Makes a question the one that is shown after the answers, and notes the time. Another device may change the chat meanwhile. */
async function selectQuestion(
  { conversations }: Feather,
  { id, after }: ServerChat,
  { questionId, at }: { questionId: string; at: Date },
  signal: AbortSignal,
): Promise<void> {
  for (let conflicts = 0; ; conflicts += 1) {
    const { id: _, ...stored } = await conversations.get(id, { signal });
    const selected = { ...stored.selected, [questionPlace(after)]: questionId };
    const updated_at = at > stored.updated_at ? at : stored.updated_at;
    try {
      await conversations.put(id, { ...stored, selected, updated_at }, { signal });
      return;
    } catch (error) {
      const isConflict = isApiError(error) && error.code === "conversations.changed";
      if (!isConflict || conflicts === MAX_CONFLICTS) throw error;
    }
  }
}

function toQuestion(id: string, { after }: ServerChat, { model, prompt, pictures, at }: Exchange): ConversationEntry {
  const isFile = ({ url }: Picture) => url.startsWith("data:");
  const addresses = pictures.filter((picture) => !isFile(picture)).map(({ url }) => `Picture: ${url}`);
  return {
    id,
    kind: "question",
    text: [prompt, ...addresses].join("\n\n"),
    created_at: at,
    saved_at: at,
    question: {
      after: [...after],
      models: [model],
      attachments: pictures.filter(isFile).map(toAttachment),
      results: [],
    },
  };
}

function toAttachment({ name, url }: Picture) {
  const [head = "", data = ""] = url.split(",", 2);
  const type = /^data:([^;]+)/.exec(head)?.[1] ?? "image/png";
  return {
    id: randomUUID(),
    kind: "image" as const,
    name,
    type,
    size: Buffer.from(data, "base64").length,
    data: url,
  };
}

const toAnswer = (id: string, question: string, { model, answer, at }: Exchange): ConversationEntry => ({
  id,
  kind: "answer",
  text: answer,
  created_at: at,
  saved_at: at,
  answer: {
    question,
    lane: 0,
    model,
    reasoning: "",
    tool_calls: [],
    state: "done",
    finish_reason: null,
    error: null,
    metrics: null,
    receipt: null,
    request_id: null,
  },
});
