import type { ConversationEntry } from "@feather/sdk";
import { type ChatImportReport, type ImportedChat, readChatExport, readChatFile } from "@feather/sdk/chat-imports";
import { plural, t } from "@lingui/core/macro";
import { unzipSync } from "fflate";
import { DEFAULT_SETTINGS } from "./settings.ts";
import type { ChatStore } from "./store/chat-store.ts";
import { readServerEntry } from "./store/server-records.ts";
import type { Conversation, Entry } from "./types.ts";

/** The chats of another program's export, and what is left out. */
export type LoadedExport = { chats: readonly ImportedChat[]; report: ChatImportReport };

const MAX_BYTES = 200_000_000;

/** Reads an export of ChatGPT, Open WebUI or LibreChat of up to 200 MB; null for another or a larger file. */
export async function loadChatExport(file: Blob): Promise<LoadedExport | null> {
  if (file.size > MAX_BYTES) return null;
  const read = readChatFile(new Uint8Array(await file.arrayBuffer()), { unzip: unzipSync, maxBytes: MAX_BYTES });
  if ("problem" in read) return null;
  const { chats, report } = await readChatExport(read.texts);
  return report && { chats, report };
}

/** Says what would be stored, and what is left out. */
export function describeExport({ messages, chats, leftOut }: ChatImportReport): string {
  const parts = [
    leftOut.emptyChats &&
      plural(leftOut.emptyChats, { one: "# chat without messages", other: "# chats without messages" }),
    leftOut.unreadable &&
      plural(leftOut.unreadable, { one: "# element that is no chat", other: "# elements that are no chats" }),
    leftOut.otherBranches &&
      plural(leftOut.otherBranches, { one: "# message of another branch", other: "# messages of other branches" }),
    leftOut.tooMany &&
      plural(leftOut.tooMany, { one: "# message after the first 5,000", other: "# messages after the first 5,000" }),
    leftOut.files && plural(leftOut.files, { one: "# picture or file", other: "# pictures and files" }),
    leftOut.toolCalls && plural(leftOut.toolCalls, { one: "# tool call or result", other: "# tool calls and results" }),
    leftOut.thoughts && plural(leftOut.thoughts, { one: "# thought of a model", other: "# thoughts of models" }),
    leftOut.cutTexts && plural(leftOut.cutTexts, { one: "the end of # long text", other: "the ends of # long texts" }),
  ].filter((part) => typeof part === "string");
  const chatCount = plural(chats, { one: "# chat", other: "# chats" });
  const messageCount = plural(messages, { one: "# message", other: "# messages" });
  const found = t`The file has ${chatCount} with ${messageCount}. What is here from it already is not stored twice.`;
  return parts.length === 0 ? found : `${found} ${t`Left out: ${parts.join(", ")}.`}`;
}

/** Stores chats. Returns how many were not there before, and how many could not be, such as those deleted for good. */
export async function storeExport(
  { chats }: LoadedExport,
  store: Pick<ChatStore, "list" | "write">,
): Promise<{ stored: number; refused: number }> {
  const known = new Set((await store.list()).map(({ id }) => id));
  let [stored, refused] = [0, 0];
  for (const chat of chats)
    try {
      const conversation = toConversation(chat);
      const isKnown = known.has(chat.id);
      // One that is there gets the messages that an interrupted import did not send.
      await store.write(chat.id, isKnown ? null : (before) => before ?? conversation, toEntries(chat));
      if (!isKnown) stored += 1;
    } catch {
      refused += 1;
    }
  return { stored, refused };
}

function toConversation({ id, conversation }: ImportedChat): Conversation {
  const { title, is_named, is_pinned, is_archived, created_at, updated_at } = conversation;
  return {
    id,
    title: title || t`New chat`,
    named: is_named,
    models: [],
    settings: DEFAULT_SETTINGS,
    chosen: {},
    pinned: is_pinned ?? false,
    archived: is_archived ?? false,
    folder: null,
    createdAt: created_at.getTime(),
    updatedAt: updated_at.getTime(),
    deletedAt: null,
  };
}

const toEntries = ({ id, entries }: ImportedChat): Entry[] =>
  entries.flatMap((entry: ConversationEntry) => readServerEntry(id, entry) ?? []);
