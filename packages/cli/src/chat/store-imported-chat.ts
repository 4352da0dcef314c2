import { type ConversationEntry, type Feather, isApiError } from "@feather/sdk";
import type { ImportedChat } from "@feather/sdk/chat-imports";

/** What became of a chat: stored, there already, or deleted here before and therefore not stored again. */
export type ImportOutcome = "stored" | "known" | "deleted";

const MAX_ENTRIES_AT_ONCE = 200;
/** Characters of JSON that are sent at once. The API takes 16 MB. */
const MAX_CHARACTERS_AT_ONCE = 4_000_000;

/** Stores a chat with its messages. One that is there keeps its fields, and gets the messages that an earlier import did not send. */
export async function storeImportedChat(
  { conversations }: Pick<Feather, "conversations">,
  { id, conversation, entries }: ImportedChat,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  let outcome: ImportOutcome = "stored";
  try {
    await conversations.put(id, conversation, { signal });
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.code === "conversations.deleted") return "deleted";
    if (error.code !== "conversations.changed") throw error;
    outcome = "known";
  }
  for (const items of toBatches(entries)) await conversations.putEntries(id, { items }, { signal });
  return outcome;
}

/** Splits messages into parts that the API takes at once. */
function toBatches(entries: readonly ConversationEntry[]): ConversationEntry[][] {
  const batches: ConversationEntry[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const size = JSON.stringify(entry).length;
    const batch = batches.at(-1);
    if (!batch || batch.length === MAX_ENTRIES_AT_ONCE || characters + size > MAX_CHARACTERS_AT_ONCE) {
      batches.push([entry]);
      characters = size;
    } else {
      batch.push(entry);
      characters += size;
    }
  }
  return batches;
}
