import { type Feather, isApiError, isNotFound, type Conversation as ServerConversation } from "@feather/sdk";
import type { Conversation, Entry } from "../types.ts";
import type { StoredConversationUpdate } from "./chat-store.ts";
import type { FallbackStore, StorageProblem } from "./fallback-store.ts";
import { readServerConversation, readServerEntry, toConversationWrite, toServerEntry } from "./server-records.ts";

/** The calls of the API that the store makes. */
export type ConversationsApi = Pick<
  Feather["conversations"],
  "changes" | "delete" | "deleteAll" | "entries" | "get" | "put" | "putEntries" | "search"
>;

/** A store on the server, which other devices change too. */
export type ServerStore = FallbackStore & {
  /** Fetches what other devices changed. Returns the ids of these conversations. */
  sync(): Promise<string[]>;
};

type Options = {
  api: ConversationsApi;
  /** Called when the server cannot store chats, and with null when it can again. */
  onProblem(problem: StorageProblem | null): void;
  /** Waits before a write is tried again. */
  wait(milliseconds: number): Promise<void>;
};

/** A conversation as the server has it, and the changes that are being sent; `stored` is undefined until it has it. */
type Known = { stored: Conversation | undefined; version: number; pending: readonly StoredConversationUpdate[] };
type State = {
  known: Map<string, Known>;
  revision: number;
  /** Messages that are being sent, by id. */
  unsent: Map<string, Entry>;
  /** The writes of each conversation, one after the other. */
  queues: Map<string, Promise<void>>;
  problem: StorageProblem | null;
  closed: boolean;
};
type Context = Options & { state: State };

const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 15_000, 30_000];
const MAX_CONFLICTS = 10;
const MAX_SEARCH_LENGTH = 200;
const MAX_ENTRIES_AT_ONCE = 200;
/** Characters of JSON that are sent at once. The API takes 16 MB. */
const MAX_CHARACTERS_AT_ONCE = 5_000_000;

/**
 * Opens the chats that the server keeps. A change is seen here at once and sent afterwards, again and again while the server
 * cannot be reached.
 */
export function createServerStore(options: Options): ServerStore {
  const state: State = {
    known: new Map(),
    revision: 0,
    unsent: new Map(),
    queues: new Map(),
    problem: null,
    closed: false,
  };
  const context: Context = { ...options, state };
  return {
    storageProblem: () => state.problem,
    sync: () => fetchChanges(context),
    async list() {
      await fetchChanges(context).catch((error: unknown) => reportProblem(context, error));
      return [...state.known.values()].flatMap((one) => withPending(one) ?? []);
    },
    entries: (id) => readEntries(context, id),
    write: (id, change, entries) => write(context, id, change, entries),
    search: async (term) =>
      (await options.api.search({ q: term.slice(0, MAX_SEARCH_LENGTH) })).items.map(({ conversation, excerpt }) => ({
        conversation: conversation.id,
        excerpt,
      })),
    remove: (ids) => remove(context, ids),
    close() {
      state.closed = true;
    },
  };
}

/** Returns a conversation with the changes that are being sent. */
const withPending = ({ stored, pending }: Known): Conversation | undefined =>
  pending.reduce<Conversation | undefined>((current, change) => change(current) ?? current, stored);

function setProblem({ state, onProblem }: Context, problem: StorageProblem | null): void {
  if (state.problem === problem) return;
  state.problem = problem;
  onProblem(problem);
}

function reportProblem(context: Context, error: unknown): void {
  const code = isApiError(error) ? error.code : null;
  setProblem(context, code === "conversations.full" ? "full" : isDefinite(error) ? "refused" : "unreachable");
}

/** Whether the same call would be refused again. A session that has ended is no reason to give up: people log in again. */
const isDefinite = (error: unknown): boolean =>
  isApiError(error) && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status);

async function fetchChanges(context: Context): Promise<string[]> {
  const { api, state } = context;
  const changed: string[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await api.changes({ after: state.revision });
    for (const stored of page.items) {
      const current = state.known.get(stored.id);
      if ((current?.version ?? 0) <= stored.version) keep(state, stored);
      changed.push(stored.id);
    }
    for (const id of page.deleted_ids) if (state.known.delete(id)) changed.push(id);
    state.revision = page.revision;
    hasMore = page.has_more;
  }
  return changed;
}

/** Keeps what the server has of a conversation, under the changes that are being sent. */
function keep({ known }: State, stored: ServerConversation): void {
  const conversation = readServerConversation(stored);
  if (!conversation) return;
  const pending = known.get(stored.id)?.pending ?? [];
  known.set(stored.id, { stored: conversation, version: stored.version, pending });
}

/** Reads the messages that the server has, under those that are being sent. */
async function readEntries({ api, state }: Context, id: string): Promise<Entry[]> {
  const entries = new Map<string, Entry>();
  const stored = isUnsentAsWhole(state, id) ? [] : await fetchEntries(api, id);
  for (const entry of stored) entries.set(entry.id, entry);
  for (const entry of state.unsent.values()) if (entry.conversation === id) entries.set(entry.id, entry);
  return [...entries.values()];
}

/** Fetches all messages of a conversation; none where it was deleted. */
async function fetchEntries(api: ConversationsApi, id: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for (let after: number | null = 0; after !== null; ) {
      const page: Awaited<ReturnType<ConversationsApi["entries"]>> = await api.entries(id, { after });
      entries.push(...page.items.flatMap((stored) => readServerEntry(id, stored) ?? []));
      after = page.next_after;
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return entries;
}

/** Whether the server does not have the conversation yet. */
const isUnsentAsWhole = ({ known }: State, id: string): boolean => known.get(id)?.version === 0;

async function write(
  context: Context,
  id: string,
  change: StoredConversationUpdate | null,
  entries: readonly Entry[],
): Promise<void> {
  const { state } = context;
  if (change) {
    const current = state.known.get(id) ?? { stored: undefined, version: 0, pending: [] };
    if (!change(withPending(current))) return; // nothing is there to be changed
    state.known.set(id, { ...current, pending: [...current.pending, change] });
  }
  for (const entry of entries) state.unsent.set(entry.id, entry);
  await enqueue(context, id, async () => {
    if (change) await untilSent(context, () => sendChange(context, id, change));
    await sendEntries(context, id, entries);
  });
}

/** Runs a task after the tasks before it for the same conversation. */
async function enqueue({ state }: Context, id: string, task: () => Promise<void>): Promise<void> {
  const before = state.queues.get(id) ?? Promise.resolve();
  const own = before.then(task);
  const settled = own.catch(() => {});
  state.queues.set(id, settled);
  try {
    await own;
  } finally {
    if (state.queues.get(id) === settled) state.queues.delete(id);
  }
}

/** Makes a call until the server has answered it. Rejects when it is refused, and once the page is left. */
async function untilSent(context: Context, call: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++)
    try {
      await call();
      return setProblem(context, null);
    } catch (error) {
      reportProblem(context, error);
      if (isDefinite(error) || context.state.closed) throw error;
      await context.wait(RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)] ?? 0);
    }
}

/** Sends a change. When another device was first, it is applied to what that device stored. */
async function sendChange(context: Context, id: string, change: StoredConversationUpdate): Promise<void> {
  const { api, state } = context;
  for (let conflicts = 0; ; conflicts++) {
    const current = state.known.get(id);
    const changed = current && change(current.stored);
    if (!changed) return; // it was deleted in the meantime
    try {
      const stored = await api.put(id, toConversationWrite(changed, current.version));
      dropChange(state, id, change);
      return keep(state, stored);
    } catch (error) {
      const code = isApiError(error) ? error.code : null;
      if (code === "conversations.deleted") return void state.known.delete(id);
      if (code !== "conversations.changed" || conflicts === MAX_CONFLICTS) throw error;
      keep(state, await api.get(id));
    }
  }
}

function dropChange({ known }: State, id: string, change: StoredConversationUpdate): void {
  const current = known.get(id);
  if (current) known.set(id, { ...current, pending: current.pending.filter((one) => one !== change) });
}

async function sendEntries(context: Context, id: string, entries: readonly Entry[]): Promise<void> {
  const { api, state } = context;
  for (const batch of toBatches(entries)) {
    try {
      await untilSent(context, async () => {
        if (state.known.has(id)) await api.putEntries(id, { items: batch.map(toServerEntry) });
      });
    } finally {
      for (const entry of batch) if (state.unsent.get(entry.id) === entry) state.unsent.delete(entry.id);
    }
  }
}

function toBatches(entries: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = [];
  let characters = 0;
  for (const entry of entries) {
    const length = JSON.stringify(entry).length;
    const last = batches.at(-1);
    if (!last || last.length === MAX_ENTRIES_AT_ONCE || characters + length > MAX_CHARACTERS_AT_ONCE) {
      batches.push([entry]);
      characters = length;
    } else {
      last.push(entry);
      characters += length;
    }
  }
  return batches;
}

async function remove({ api, state }: Context, ids: readonly string[]): Promise<void> {
  const isAll = ids.length > 0 && [...state.known.keys()].every((id) => ids.includes(id));
  for (const id of ids) state.known.delete(id);
  if (isAll) await api.deleteAll();
  else for (const id of ids) await api.delete(id).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
