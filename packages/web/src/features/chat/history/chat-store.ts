import type { Conversation, Entry } from "../types.ts";

/** How a conversation changes: from what is kept, so that two tabs do not undo each other. Undefined leaves it. */
export type ChangeConversation = (kept: Conversation | undefined) => Conversation | undefined;
export type Found = { conversation: string; excerpt: string };

/** Where conversations are kept. */
export type ChatStore = {
  list(): Promise<Conversation[]>;
  entries(conversation: string): Promise<Entry[]>;
  write(conversation: string, change: ChangeConversation | null, entries: readonly Entry[]): Promise<void>;
  /** Conversations in which something was said that holds these words. */
  search(words: string): Promise<Found[]>;
  /** Removes conversations for good. */
  remove(conversations: readonly string[]): Promise<void>;
  close(): void;
};

const MOST_FOUND = 50;

/** Notes where words occur, once for each conversation. */
export function createFinder(words: string) {
  const wanted = words.toLowerCase();
  const found = new Map<string, Found>();
  return {
    /** Says whether to go on looking. */
    look(entry: Entry): boolean {
      if (found.has(entry.conversation)) return true;
      const at = entry.text.toLowerCase().indexOf(wanted);
      if (at !== -1)
        found.set(entry.conversation, { conversation: entry.conversation, excerpt: around(entry.text, at) });
      return found.size < MOST_FOUND;
    },
    found: () => [...found.values()],
  };
}

function around(text: string, at: number): string {
  const from = Math.max(0, at - 30);
  const excerpt = text
    .slice(from, at + 70)
    .replace(/\s+/g, " ")
    .trim();
  return `${from > 0 ? "…" : ""}${excerpt}${at + 70 < text.length ? "…" : ""}`;
}
