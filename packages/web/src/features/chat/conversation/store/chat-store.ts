import type { Conversation, Entry } from "../types.ts";

/**
 * Returns the changed conversation, given the stored one, so that two tabs do not undo each other's changes. Undefined
 * writes nothing.
 */
export type StoredConversationUpdate = (stored: Conversation | undefined) => Conversation | undefined;
/** A conversation that matches a search, with an excerpt around the match. */
export type SearchMatch = { conversation: string; excerpt: string };

/** Storage of conversations and their entries. */
export type ChatStore = {
  list(): Promise<Conversation[]>;
  entries(conversation: string): Promise<Entry[]>;
  write(conversation: string, change: StoredConversationUpdate | null, entries: readonly Entry[]): Promise<void>;
  /** Finds conversations with an entry that contains the term. */
  search(term: string): Promise<SearchMatch[]>;
  /** Deletes conversations permanently. */
  remove(conversations: readonly string[]): Promise<void>;
  close(): void;
};

const MAX_MATCHES = 50;

/** Collects the first match of each conversation. */
export function createSearcher(term: string) {
  const lowerCaseTerm = term.toLowerCase();
  const matches = new Map<string, SearchMatch>();
  return {
    /** Checks an entry. Returns false when enough matches were found. */
    add(entry: Entry): boolean {
      if (matches.has(entry.conversation)) return true;
      const at = entry.text.toLowerCase().indexOf(lowerCaseTerm);
      if (at !== -1)
        matches.set(entry.conversation, { conversation: entry.conversation, excerpt: excerptAround(entry.text, at) });
      return matches.size < MAX_MATCHES;
    },
    matches: () => [...matches.values()],
  };
}

function excerptAround(text: string, at: number): string {
  const from = Math.max(0, at - 30);
  const excerpt = text
    .slice(from, at + 70)
    .replace(/\s+/g, " ")
    .trim();
  return `${from > 0 ? "…" : ""}${excerpt}${at + 70 < text.length ? "…" : ""}`;
}
