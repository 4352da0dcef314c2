import { setImmediate } from "node:timers/promises";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Page } from "../../platform/core/http/pagination.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import type { Conversation, ConversationWrite, Entry, Owner, SealedFields } from "./conversation.ts";
import { namesOf, textOf, toConversation, toPlace } from "./conversation.ts";
import type { Candidate, ConversationRow, ConversationsRepository, EntryWrite } from "./conversations.repository.ts";
import type { OrganizationKey, OrganizationKeys } from "./organization-keys.ts";
import { excerptOf, hashesOf, hashesOfQuery, matches, wordsOf } from "./words.ts";

/** What the use cases of conversations need. */
export type Deps = {
  db: Database;
  conversationsRepository: ConversationsRepository;
  organizationKeys: OrganizationKeys;
  clock: Clock;
  /** The most that the chats of a person may take in an organization. */
  megabytesPerPerson: number;
};

/** What was found, and the text around it; empty if only the title has it. */
export type Match = { conversation: Conversation; excerpt: string };
/** What changed after a revision. */
export type Changes = { conversations: Conversation[]; deletedIds: string[]; revision: number; hasMore: boolean };

/** How far the clock of a client may be ahead. */
const MAX_AHEAD_MS = DAY_MS;
const MAX_CONVERSATIONS_ERROR = "A person can have 100,000 conversations. Delete some first.";
const MAX_CONVERSATIONS = 100_000;
const MAX_ENTRIES = 5_000;
const MAX_SETTINGS_BYTES = 65_536;
/** Of settings, title and the choices at branches, of which each message may add one. */
const MAX_FIELDS_BYTES = 655_360;
const MEGABYTE = 1_000_000;
const CHANGES_PER_PAGE = 500;
const ENTRIES_PER_PAGE = 200;
const BYTES_PER_PAGE = 8 * MEGABYTE;
const MAX_MATCHES = 50;
const MAX_QUERY_WORDS = 16;
const CANDIDATES_AT_ONCE = 100;
/** Beginnings of words can be in a text without its words, so some candidates are none. */
const MAX_CANDIDATES = 1_000;
const MAX_SEARCHED_BYTES = 32 * MEGABYTE;

/** Creates the use cases of a person's conversations. */
export function createConversations(deps: Deps) {
  return bind(deps, {
    list: listConversations,
    listChanges,
    search: searchConversations,
    get: getConversation,
    put: putConversation,
    delete: deleteConversation,
    deleteAll,
    listEntries,
    putEntries,
  });
}

/** The conversations of people. */
export type ConversationUseCases = ReturnType<typeof createConversations>;

/** Decrypts rows of an organization. Its key is there if it has rows. */
async function decrypt({ organizationKeys }: Deps, { organizationId }: Owner, rows: readonly ConversationRow[]) {
  const key = rows.length > 0 ? await organizationKeys.find(organizationId) : null;
  return key === null ? [] : rows.map((row) => toConversation(row, key));
}

async function listConversations(deps: Deps, owner: Owner, page: Page) {
  const { rows, total } = await deps.conversationsRepository.list(owner, page);
  return { conversations: await decrypt(deps, owner, rows), total };
}

/** Lists changes after a revision, as far as both kinds of them were read. */
async function listChanges(deps: Deps, owner: Owner, after: number): Promise<Changes> {
  const { conversationsRepository } = deps;
  const page = { limit: CHANGES_PER_PAGE, bytes: BYTES_PER_PAGE };
  const changed = await conversationsRepository.listChanged(owner, after, page);
  const deleted = await conversationsRepository.listDeleted(owner, after, CHANGES_PER_PAGE);
  const lastChanged = Number(changed.at(-1)?.revision ?? after);
  const lastDeleted = Number(deleted.at(-1)?.revision ?? after);
  // Where one kind goes on, the other is listed to the same revision only, so that the next page begins there for both.
  const end = Math.min(
    (await conversationsRepository.hasChangedAfter(owner, lastChanged)) ? lastChanged : Number.POSITIVE_INFINITY,
    deleted.length === CHANGES_PER_PAGE ? lastDeleted : Number.POSITIVE_INFINITY,
  );
  const isListed = (row: { revision: number }) => Number(row.revision) <= end;
  return {
    conversations: await decrypt(deps, owner, changed.filter(isListed)),
    deletedIds: deleted.filter(isListed).map(({ id }) => id),
    revision: Math.min(end, Math.max(lastChanged, lastDeleted)),
    hasMore: end < Number.POSITIVE_INFINITY,
  };
}

async function getConversation(deps: Deps, owner: Owner, id: string): Promise<Conversation> {
  const row = await deps.conversationsRepository.find(owner, id);
  const [conversation] = await decrypt(deps, owner, row ? [row] : []);
  if (!conversation) throw errors.conversations.notFound();
  return conversation;
}

/**
 * Finds conversations by words. Candidates are decrypted and compared, since the database holds only hashes of beginnings. Other
 * calls are answered between two of them.
 */
async function searchConversations(deps: Deps, owner: Owner, text: string): Promise<Match[]> {
  const { conversationsRepository, organizationKeys } = deps;
  const words = [...wordsOf(text)].slice(0, MAX_QUERY_WORDS);
  const key = await organizationKeys.find(owner.organizationId);
  if (words.length === 0 || key === null) return [];
  const hashes = hashesOfQuery(words, key.hash);
  const found: Match[] = [];
  let offset = 0;
  for (let readBytes = 0; readBytes < MAX_SEARCHED_BYTES && offset < MAX_CANDIDATES; ) {
    const page = { limit: CANDIDATES_AT_ONCE, offset, bytes: BYTES_PER_PAGE };
    const candidates = await conversationsRepository.search(owner, hashes, page);
    if (candidates.length === 0) break;
    for (const candidate of candidates) {
      await setImmediate();
      const match = toMatch(candidate, key, words);
      if (match) found.push(match);
      if (found.length === MAX_MATCHES) return found;
      readBytes += candidate.entry?.length ?? 0;
    }
    offset += candidates.length;
  }
  return found;
}

/** Returns what was found in a candidate; null if it has other words that begin alike. */
function toMatch(candidate: Candidate, key: OrganizationKey, words: readonly string[]): Match | null {
  const conversation = toConversation(candidate, key);
  const message = candidate.entry ? textOf(openEntry(candidate.entry, key)) : "";
  if (candidate.entry !== null && matches(message, words)) return { conversation, excerpt: excerptOf(message, words) };
  return matches(namesOf(conversation.fields), words) ? { conversation, excerpt: "" } : null;
}

/** Decrypts a message. */
export const openEntry = (sealed: Buffer, { sealer }: OrganizationKey): Entry =>
  JSON.parse(sealer.open(sealed)) as Entry;

/** Throws where the organization keeps no chats on the server. */
export async function requireStorage({ conversationsRepository }: Deps, { organizationId }: Owner, trx: Database) {
  const policy = await conversationsRepository.readPolicy(organizationId, trx);
  if (policy === null) throw errors.organization.deleted();
  if (policy.storage !== "server") throw errors.conversations.notKept();
}

/** Refuses what would take more than a person may have. */
function checkBytes({ megabytesPerPerson }: Deps, bytes: number): void {
  if (bytes > megabytesPerPerson * MEGABYTE)
    throw errors.conversations.full(
      `Your chats would take more than ${megabytesPerPerson} MB here. Delete some of them first.`,
    );
}

/** Creates a conversation with version 0, or replaces the fields of that version. */
async function putConversation(
  deps: Deps,
  owner: Owner,
  id: string,
  { version, created_at, updated_at, deleted_at, ...change }: ConversationWrite,
): Promise<Conversation> {
  const { db, conversationsRepository, organizationKeys, clock } = deps;
  if (Buffer.byteLength(JSON.stringify(change.settings)) > MAX_SETTINGS_BYTES)
    throw errors.invalidRequest("settings is not valid: it may take at most 64 kB as JSON.", { param: "settings" });
  if (Buffer.byteLength(JSON.stringify(change)) > MAX_FIELDS_BYTES)
    throw errors.invalidRequest("selected is not valid: it may take at most 576 kB as JSON.", { param: "selected" });
  return db.transaction().execute(async (trx) => {
    await requireStorage(deps, owner, trx);
    const { revision, bytes } = await conversationsRepository.lockOwner(owner, trx);
    const stored = await conversationsRepository.find(owner, id, trx);
    if (!stored) await refuseMissing(deps, owner, { id, version }, trx);
    else if (stored.version !== version) throw errors.conversations.changed();
    const key = await organizationKeys.ensure(owner.organizationId, trx);
    const place = toPlace(change, stored && toConversation(stored, key).fields);
    const fields: SealedFields = { ...change, ...place };
    const sealed = key.sealer.seal(JSON.stringify(fields));
    const words = hashesOf(namesOf(fields), key.hash);
    const added = bytesOf(sealed, words) - (stored?.bytes ?? 0);
    if (added > 0) checkBytes(deps, bytes + added);
    await conversationsRepository.addBytes(owner, added, trx);
    const row = await conversationsRepository.put(
      {
        organization_id: owner.organizationId,
        user_id: owner.userId,
        id,
        sealed_fields: sealed,
        words,
        version: version + 1,
        revision,
        created_at: new Date(created_at),
        updated_at: new Date(updated_at),
        deleted_at: deleted_at === null ? null : new Date(deleted_at),
        stored_at: clock.now(),
      },
      trx,
    );
    return toConversation(row, key);
  });
}

/** Refuses to create a conversation that was deleted, that was changed before it was created, or that is one too many. */
async function refuseMissing(
  { conversationsRepository }: Deps,
  owner: Owner,
  { id, version }: { id: string; version: number },
  trx: Database,
): Promise<void> {
  if (await conversationsRepository.wasDeleted(owner, id, trx)) throw errors.conversations.deleted();
  if (version !== 0) throw errors.conversations.notFound();
  if ((await conversationsRepository.count(owner, trx)) >= MAX_CONVERSATIONS)
    throw errors.conversations.full(MAX_CONVERSATIONS_ERROR);
}

/** Deletes a conversation for good. Also where the organization keeps no more chats. */
async function deleteConversation({ db, conversationsRepository, clock }: Deps, owner: Owner, id: string) {
  await db.transaction().execute(async (trx) => {
    const { revision } = await conversationsRepository.lockOwner(owner, trx);
    const isDeleted = await conversationsRepository.remove(owner, id, { revision, at: clock.now() }, trx);
    if (!isDeleted) throw errors.conversations.notFound();
  });
}

async function deleteAll({ db, conversationsRepository, clock }: Deps, owner: Owner): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { revision } = await conversationsRepository.lockOwner(owner, trx);
    await conversationsRepository.removeAll(owner, { revision, at: clock.now() }, trx);
  });
}

/** Lists the next messages after a position. `nextAfter` is null at the end. */
async function listEntries(deps: Deps, owner: Owner, id: string, after: number) {
  const { conversationsRepository, organizationKeys } = deps;
  const conversation = await conversationsRepository.find(owner, id);
  const key = await organizationKeys.find(owner.organizationId);
  if (!conversation || key === null) throw errors.conversations.notFound();
  const page = { after, limit: ENTRIES_PER_PAGE, bytes: BYTES_PER_PAGE };
  const rows = await conversationsRepository.listEntries(owner, id, page);
  const last = rows.at(-1)?.position ?? after;
  return {
    entries: rows.map(({ sealed_fields }) => openEntry(sealed_fields, key)),
    nextAfter: rows.length > 0 && last < conversation.last_position ? last : null,
  };
}

/** Adds messages, or replaces those that were saved earlier. They are encrypted before the person's conversations are locked. */
async function putEntries(deps: Deps, owner: Owner, id: string, entries: readonly Entry[]): Promise<void> {
  const { db, organizationKeys } = deps;
  refuseUnfit(entries);
  await requireStorage(deps, owner, db);
  const key = await organizationKeys.ensure(owner.organizationId, db);
  const sealed: SealedEntry[] = [];
  for (const entry of entries) {
    await setImmediate(); // other calls are answered between two messages
    sealed.push(sealEntry(entry, key));
  }
  await db.transaction().execute((trx) => storeEntries(deps, owner, id, sealed, trx));
}

/** Stores messages in a transaction: adds those that are new, and replaces those that were saved earlier. */
export async function storeEntries(
  deps: Deps,
  owner: Owner,
  id: string,
  given: readonly SealedEntry[],
  trx: Database,
): Promise<void> {
  const { conversationsRepository, clock } = deps;
  const entries = given.map((entry) => ({ ...entry, savedAt: toPossibleTime(entry.savedAt, clock.now()) }));
  await requireStorage(deps, owner, trx);
  const { revision, bytes } = await conversationsRepository.lockOwner(owner, trx);
  const conversation = await conversationsRepository.find(owner, id, trx);
  if (!conversation) throw errors.conversations.notFound();
  const ids = entries.map((entry) => entry.id);
  const stored = new Map((await conversationsRepository.findStored(owner, id, ids, trx)).map((one) => [one.id, one]));
  const isNews = (entry: SealedEntry) => (stored.get(entry.id)?.saved_at ?? entry.savedAt) <= entry.savedAt;
  let lastPosition = conversation.last_position;
  const late = await findLate(deps, owner, id, entries, trx);
  const writes = entries
    .filter((entry) => isNews(entry) && !late.has(entry.id))
    .map((entry) => ({ ...entry, position: stored.has(entry.id) ? 0 : ++lastPosition }));
  const added = lastPosition - conversation.last_position;
  if (conversation.entries + added > MAX_ENTRIES)
    throw errors.conversations.full("A conversation holds at most 5,000 messages. Begin another one.");
  const addedBytes = writes.reduce(
    (sum, entry) => sum + bytesOf(entry.sealed, entry.words) - (stored.get(entry.id)?.bytes ?? 0),
    0,
  );
  if (addedBytes > 0) checkBytes(deps, bytes + addedBytes);
  if (writes.length === 0) return;
  await conversationsRepository.putEntries(owner, id, writes, trx);
  await conversationsRepository.addBytes(owner, addedBytes, trx);
  await conversationsRepository.touch(owner, id, { revision, added, lastPosition, storedAt: clock.now() }, trx);
}

/** A time far ahead comes from a wrong clock: until then no later change of the message would be taken. */
const toPossibleTime = (at: Date, now: Date): Date => (at.getTime() - now.getTime() > MAX_AHEAD_MS ? now : at);

/** A message to store, and the stream from which it is being received; null if it is not. */
type SealedEntry = Omit<EntryWrite, "position"> & { streamId: string | null };

/** Returns the ids of answers that show a stream going on of which the server has saved the end: a client sent them before that. */
async function findLate(
  { conversationsRepository, organizationKeys }: Deps,
  owner: Owner,
  conversationId: string,
  entries: readonly SealedEntry[],
  trx: Database,
): Promise<ReadonlySet<string>> {
  const late = new Set<string>();
  for (const { id, streamId } of entries) {
    const sealed = streamId && (await conversationsRepository.findEntry(owner, conversationId, id, trx));
    const key = sealed && (await organizationKeys.ensure(owner.organizationId, trx));
    if (!sealed || !key) continue;
    const { answer } = openEntry(sealed, key);
    if (answer?.stream_id === streamId && answer?.state !== "streaming") late.add(id);
  }
  return late;
}

/** Encrypts a message. */
export const sealEntry = (entry: Entry, { sealer, hash }: OrganizationKey): SealedEntry => ({
  id: entry.id,
  sealed: sealer.seal(JSON.stringify(entry)),
  words: hashesOf(textOf(entry), hash),
  savedAt: new Date(entry.saved_at),
  streamId: entry.answer?.state === "streaming" ? (entry.answer.stream_id ?? null) : null,
});

/** What an encrypted text and the hashes of its words take, as the column `bytes` counts it. */
const bytesOf = (sealed: Buffer, words: readonly string[]): number => sealed.length + 8 * words.length;

/** Refuses messages that lack the fields of their kind, and two with the same id. */
function refuseUnfit(entries: readonly Entry[]): void {
  const ids = new Set<string>();
  for (const [index, { id, kind, question, answer }] of entries.entries()) {
    const param = `items.${index}`;
    const hasFields = kind === "question" ? question && !answer : answer && !question;
    if (!hasFields)
      throw errors.invalidRequest(`${param} is not valid: a ${kind} has ${kind} and not the other.`, { param });
    if (ids.has(id))
      throw errors.invalidRequest(`${param} is not valid: there are two messages with its id.`, { param });
    ids.add(id);
  }
}
