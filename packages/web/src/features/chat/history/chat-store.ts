import type { Conversation, Entry } from "../types.ts";

/**
 * Returns the changed conversation, given the stored one, so that two tabs do not undo each other's changes. Undefined
 * writes nothing.
 */
export type ChangeConversation = (kept: Conversation | undefined) => Conversation | undefined;
/** A conversation that matches a search, with an excerpt around the match. */
export type Found = { conversation: string; excerpt: string };

/** Storage of conversations and their entries. */
export type ChatStore = {
  list(): Promise<Conversation[]>;
  entries(conversation: string): Promise<Entry[]>;
  write(conversation: string, change: ChangeConversation | null, entries: readonly Entry[]): Promise<void>;
  /** Finds conversations with an entry that contains the term. */
  search(words: string): Promise<Found[]>;
  /** Deletes conversations permanently. */
  remove(conversations: readonly string[]): Promise<void>;
  close(): void;
};

const MOST_FOUND = 50;

/** Collects the first match of each conversation. */
export function createFinder(words: string) {
  const wanted = words.toLowerCase();
  const found = new Map<string, Found>();
  return {
    /** Checks an entry. Returns false when enough matches were found. */
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
