import { t } from "@lingui/core/macro";
import type { ChangeConversation, ChatStore } from "./history/chat-store.ts";
import { EMPTY_TREE, type Tree, treeOf, withEntries } from "./tree.ts";
import type { Answer, Conversation, Entry } from "./types.ts";

/** A conversation with all its entries at one moment. */
export type Snapshot = { conversation: Conversation; tree: Tree };
/** Returns the changed conversation. */
export type Change = (conversation: Conversation) => Conversation;
type Told = { conversation: string; what: "conversation" | "entries" | "list" };
/** The part of `BroadcastChannel` that is used. */
export type Channel = Pick<BroadcastChannel, "postMessage" | "addEventListener" | "close">;

/** Without a list of open tabs: an answer not saved for this long belongs to a closed tab. */
const SILENCE = 15_000;
/** How long to wait before checking again whether the tab that receives an answer is open. */
const SOON = 2_000;

type Deps = {
  store: ChatStore;
  /** Where tabs announce what they have written. */
  channel: Channel | null;
  now(): number;
  /** Whether this tab is receiving the answer. */
  isMine(answer: string): boolean;
  /** Returns the ids of the open tabs; null if the browser cannot list them. */
  openTabs(): Promise<ReadonlySet<string> | null>;
};

/**
 * The open conversations and their storage. A change is a function that is applied to the state in memory at once and
 * to the stored state later, so that changes of other tabs are kept.
 */
export function createConversations({ store, channel, now, isMine, openTabs }: Deps) {
  const open = new Map<string, Snapshot>();
  const listeners = new Set<() => void>();
  const listListeners = new Set<() => void>();
  const checks = new Set<ReturnType<typeof setTimeout>>();

  function set(id: string, snapshot: Snapshot): void {
    open.set(id, snapshot);
    for (const listener of listeners) listener();
  }

  async function write(id: string, change: ChangeConversation | null, entries: readonly Entry[]): Promise<void> {
    await store.write(id, change, entries);
    channel?.postMessage({ conversation: id, what: entries.length > 0 ? "entries" : "conversation" } satisfies Told);
    if (change) for (const listener of listListeners) listener();
  }

  async function load(id: string): Promise<boolean> {
    const [all, entries, tabs] = await Promise.all([store.list(), store.entries(id), openTabs()]);
    const conversation = all.find((one) => one.id === id && one.deletedAt === null);
    if (!conversation) return open.has(id);
    const known = open.get(id);
    const checked = entries.map((entry) => (isAbandoned(entry, tabs) ? asBrokenOff(entry) : entry));
    const kept = new Map(entries.map((entry) => [entry.id, entry]));
    const ahead = [...(known?.tree.entries.values() ?? [])].filter((entry) => isAhead(entry, kept.get(entry.id)));
    const chosen = { ...conversation.chosen, ...known?.conversation.chosen };
    set(id, { conversation: { ...conversation, chosen }, tree: withEntries(treeOf(checked), ahead) });
    if (checked.some((entry) => isBeingWritten(entry))) checkLater(id, tabs ? SOON : SILENCE + 1_000);
    return true;
  }

  /** Whether the entry in memory is newer than the stored one, because its write is still pending. */
  const isAhead = (shown: Entry, kept: Entry | undefined): boolean =>
    kept === undefined ||
    isMine(shown.id) ||
    (shown.kind === "answer" && kept.kind === "answer" && shown.savedAt > kept.savedAt);
  const isBeingWritten = (entry: Entry): entry is Answer =>
    entry.kind === "answer" && entry.state === "streaming" && !isMine(entry.id);
  const isAbandoned = (entry: Entry, tabs: ReadonlySet<string> | null): entry is Answer =>
    isBeingWritten(entry) && (tabs && entry.tab ? !tabs.has(entry.tab) : now() - entry.savedAt > SILENCE);

  /** Reloads a conversation later: a tab that was closed while receiving an answer sends no message. */
  function checkLater(id: string, after: number): void {
    const timer = setTimeout(() => {
      checks.delete(timer);
      void load(id);
    }, after);
    checks.add(timer);
  }

  channel?.addEventListener("message", ({ data }: MessageEvent<Told>) => {
    for (const listener of listListeners) listener();
    if (open.has(data.conversation)) void load(data.conversation).catch(() => {});
  });

  return {
    get: (id: string): Snapshot | null => open.get(id) ?? null,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Calls the listener when the list of conversations may have changed. */
    onList(listener: () => void): () => void {
      listListeners.add(listener);
      return () => listListeners.delete(listener);
    },
    /** Loads a conversation from the store; false if there is none. */
    load,
    /** Creates a conversation, or imports one from a file. */
    async begin(conversation: Conversation, entries: readonly Entry[] = []): Promise<void> {
      set(conversation.id, { conversation, tree: entries.length > 0 ? treeOf(entries) : EMPTY_TREE });
      await write(conversation.id, () => conversation, entries);
    },
    change(id: string, change: Change): Promise<void> {
      const known = open.get(id);
      if (known) set(id, { ...known, conversation: change(known.conversation) });
      return write(id, (kept) => kept && change(kept), []);
    },
    /** Adds entries or replaces changed ones. */
    add(id: string, entries: readonly Entry[], change: Change = (same) => same): Promise<void> {
      const known = open.get(id);
      if (!known) return Promise.resolve(); // it was deleted meanwhile
      const conversation = change(known.conversation);
      set(id, { conversation, tree: withEntries(known.tree, entries) });
      return write(id, (kept) => (kept ? change(kept) : conversation), entries);
    },
    /** Stores the progress of an answer, in case this tab is closed. */
    keep: (entry: Entry): Promise<void> => store.write(entry.conversation, null, [entry]),
    async remove(ids: readonly string[]): Promise<void> {
      await store.remove(ids);
      for (const id of ids) open.delete(id);
      channel?.postMessage({ conversation: "", what: "list" } satisfies Told);
      for (const listener of [...listListeners, ...listeners]) listener();
    },
    close(): void {
      for (const timer of checks) clearTimeout(timer);
      channel?.close();
      store.close();
    },
  };
}

export type Conversations = ReturnType<typeof createConversations>;

function asBrokenOff(answer: Answer): Answer {
  const message = t`The page that was receiving it was closed.`;
  return {
    ...answer,
    state: "failed",
    fault: { code: "broken_off", status: 0, message, requestId: null, details: {} },
  };
}
