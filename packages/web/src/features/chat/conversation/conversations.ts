import { t } from "@lingui/core/macro";
import type { ChatStore, StoredConversationUpdate } from "./store/chat-store.ts";
import { buildTree, EMPTY_TREE, type Tree, withEntries } from "./tree.ts";
import type { Answer, Conversation, Entry } from "./types.ts";

/** A conversation with all its entries at one moment. */
export type Snapshot = { conversation: Conversation; tree: Tree };
/** Returns the changed conversation. */
export type ConversationUpdate = (conversation: Conversation) => Conversation;
/** Says that a conversation, its entries or the list of conversations changed. */
export type ChangeMessage = { conversation: string; changed: "conversation" | "entries" | "list" };
/** The part of `BroadcastChannel` that is used. */
export type Channel = {
  postMessage(message: ChangeMessage): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ChangeMessage>) => void): void;
  close(): void;
};

/** Without a list of open tabs: an answer not saved for this long belongs to a closed tab. */
const STALE_AFTER_MS = 15_000;
/** How long to wait before checking again whether the tab that receives an answer is open. */
const TAB_CHECK_DELAY_MS = 2_000;

type ConversationsOptions = {
  store: ChatStore;
  /** The channel on which tabs announce their changes. */
  channel: Channel | null;
  now(): number;
  /** Whether this tab is receiving the answer. */
  isWrittenByThisTab(answer: string): boolean;
  /** Returns the ids of the open tabs; null if the browser cannot list them. */
  listOpenTabs(): Promise<ReadonlySet<string> | null>;
  /** Called for each answer of an open conversation that is being written and can be received from its stream. */
  onFollowable?(answer: Answer): void;
};

/**
 * The open conversations and their storage. A change is a function that is applied to the state in memory at once and
 * to the stored state later, so that changes of other tabs are kept.
 */
export function createConversations(options: ConversationsOptions) {
  const { store, channel, listOpenTabs } = options;
  const open = new Map<string, Snapshot>();
  const listeners = new Set<() => void>();
  const listListeners = new Set<() => void>();
  let isClosed = false;
  const checkTimers = new Set<ReturnType<typeof setTimeout>>();

  function set(id: string, snapshot: Snapshot): void {
    open.set(id, snapshot);
    for (const listener of listeners) listener();
  }

  /** Announces a change to other tabs. Does nothing if the write ended after the page was left. */
  function announce(message: ChangeMessage): void {
    if (!isClosed) channel?.postMessage(message);
  }

  async function write(id: string, update: StoredConversationUpdate | null, entries: readonly Entry[]): Promise<void> {
    await store.write(id, update, entries);
    announce({ conversation: id, changed: entries.length > 0 ? "entries" : "conversation" });
    if (update) for (const listener of listListeners) listener();
  }

  async function load(id: string): Promise<boolean> {
    const [all, entries, tabs] = await Promise.all([store.list(), store.entries(id), listOpenTabs()]);
    const conversation = all.find((one) => one.id === id && one.deletedAt === null);
    if (!conversation) return open.has(id);
    const verified = entries.map((entry) => (isAbandoned(options, entry, tabs) ? toInterrupted(entry) : entry));
    set(id, mergeStored(options, open.get(id), { conversation, entries, verified }));
    const beingWritten = verified.filter((entry) => isBeingWritten(options, entry));
    if (beingWritten.length > 0) scheduleCheck(id, tabs ? TAB_CHECK_DELAY_MS : STALE_AFTER_MS + 1_000);
    for (const answer of beingWritten) if (answer.streamId !== undefined) options.onFollowable?.(answer);
    return true;
  }

  /** Reloads a conversation later: a tab that was closed while receiving an answer sends no message. */
  function scheduleCheck(id: string, after: number): void {
    const timer = setTimeout(() => {
      checkTimers.delete(timer);
      void load(id);
    }, after);
    checkTimers.add(timer);
  }

  channel?.addEventListener("message", ({ data }: MessageEvent<ChangeMessage>) => {
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
    subscribeToList(listener: () => void): () => void {
      listListeners.add(listener);
      return () => listListeners.delete(listener);
    },
    /** Loads a conversation from the store; false if there is none. */
    load,
    /** Creates a conversation, or imports one from a file. */
    async create(conversation: Conversation, entries: readonly Entry[] = []): Promise<void> {
      set(conversation.id, { conversation, tree: entries.length > 0 ? buildTree(entries) : EMPTY_TREE });
      await write(conversation.id, () => conversation, entries);
    },
    update(id: string, update: ConversationUpdate): Promise<void> {
      const current = open.get(id);
      if (current) set(id, { ...current, conversation: update(current.conversation) });
      return write(id, (stored) => stored && update(stored), []);
    },
    /** Adds entries or replaces changed ones. */
    add(id: string, entries: readonly Entry[], update: ConversationUpdate = (unchanged) => unchanged): Promise<void> {
      const current = open.get(id);
      if (!current) return Promise.resolve(); // it was deleted in the meantime
      const conversation = update(current.conversation);
      set(id, { conversation, tree: withEntries(current.tree, entries) });
      return write(id, (stored) => (stored ? update(stored) : conversation), entries);
    },
    /** Stores the progress of an answer, in case this tab is closed. */
    saveProgress: (entry: Entry): Promise<void> => store.write(entry.conversation, null, [entry]),
    async remove(ids: readonly string[]): Promise<void> {
      await store.remove(ids);
      for (const id of ids) open.delete(id);
      announce({ conversation: "", changed: "list" });
      for (const listener of [...listListeners, ...listeners]) listener();
    },
    close(): void {
      for (const timer of checkTimers) clearTimeout(timer);
      isClosed = true;
      channel?.close();
      store.close();
    },
  };
}

export type Conversations = ReturnType<typeof createConversations>;

type EntryOptions = Pick<ConversationsOptions, "isWrittenByThisTab" | "now">;
type StoredState = { conversation: Conversation; entries: readonly Entry[]; verified: readonly Entry[] };

/** Returns the stored conversation, updated by newer entries in memory whose write is still pending. */
function mergeStored(
  options: EntryOptions,
  current: Snapshot | undefined,
  { conversation, entries, verified }: StoredState,
): Snapshot {
  const stored = new Map(entries.map((entry) => [entry.id, entry]));
  const unsaved = [...(current?.tree.entries.values() ?? [])].filter((entry) =>
    isUnsaved(options, entry, stored.get(entry.id)),
  );
  const chosen = { ...conversation.chosen, ...current?.conversation.chosen };
  return { conversation: { ...conversation, chosen }, tree: withEntries(buildTree(verified), unsaved) };
}

/** Whether the entry in memory is newer than the stored one. */
function isUnsaved({ isWrittenByThisTab }: EntryOptions, current: Entry, stored: Entry | undefined): boolean {
  if (stored === undefined || isWrittenByThisTab(current.id)) return true;
  return current.kind === "answer" && stored.kind === "answer" && current.savedAt > stored.savedAt;
}

/** Whether another tab is receiving the answer. */
function isBeingWritten({ isWrittenByThisTab }: EntryOptions, entry: Entry): entry is Answer {
  return entry.kind === "answer" && entry.state === "streaming" && !isWrittenByThisTab(entry.id);
}

/** Whether the tab that was receiving the answer is gone. */
function isAbandoned(options: EntryOptions, entry: Entry, tabs: ReadonlySet<string> | null): entry is Answer {
  // Whoever follows its stream says so when that is gone.
  if (!isBeingWritten(options, entry) || entry.streamId !== undefined) return false;
  return tabs && entry.tab ? !tabs.has(entry.tab) : options.now() - entry.savedAt > STALE_AFTER_MS;
}

/** Returns an answer that nothing receives any more. */
export function toInterrupted(answer: Answer): Answer {
  const message = t`The page that was receiving it was closed.`;
  return {
    ...answer,
    streamId: undefined,
    state: "failed",
    error: { code: "broken_off", status: 0, message, requestId: null, details: {} },
  };
}
