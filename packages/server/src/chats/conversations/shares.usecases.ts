import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { hashSecret } from "../../platform/core/secrets/secrets.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import { type Entry, type Owner, toConversation } from "./conversation.ts";
import type { ConversationsRepository } from "./conversations.repository.ts";
import { openEntry } from "./conversations.usecases.ts";
import type { OrganizationKey, OrganizationKeys } from "./organization-keys.ts";
import type { ListedShareRow, SharesRepository } from "./shares.repository.ts";

type SharedMessage = components["schemas"]["SharedMessage"];
type ShareCreate = components["schemas"]["ChatShareCreate"];

type Deps = {
  db: Database;
  conversationsRepository: ConversationsRepository;
  sharesRepository: SharesRepository;
  organizationKeys: OrganizationKeys;
  audit: Audit;
  ids: Ids;
  clock: Clock;
  /** Address of the site, without a slash at its end. */
  publicUrl: string;
};

/** A link to a copy of a conversation. */
export type Share = {
  id: string;
  conversationId: string;
  title: string;
  url: string;
  /** Whether people who have the link can read the copy at present. */
  isReadable: boolean;
  createdAt: Date;
  expiresAt: Date;
};
/** What is read under a link. */
export type SharedChat = { title: string; messages: SharedMessage[]; createdAt: Date; expiresAt: Date };

const MAX_SHARES = 50;
const MAX_COPY_BYTES = 1_000_000;

/** Creates the use cases of links to copies of conversations. */
export function createShares(deps: Deps) {
  return bind(deps, { list: listShares, create: createShare, revoke: revokeShare, read: readShare, isShared });
}

export type ShareUseCases = ReturnType<typeof createShares>;

async function listShares({ sharesRepository, organizationKeys, clock, publicUrl }: Deps, owner: Owner) {
  const rows = await sharesRepository.list(owner, clock.now());
  const key = rows.length > 0 ? await organizationKeys.find(owner.organizationId) : null;
  return key === null ? [] : rows.map((row) => toShare(row, key, publicUrl));
}

const toShare = (row: ListedShareRow, key: OrganizationKey, publicUrl: string): Share => ({
  id: row.id,
  conversationId: row.conversation_id,
  title: key.sealer.open(row.sealed_title),
  url: `${publicUrl}/shared-chats/${key.tokenOf(row.id)}`,
  isReadable: row.is_readable,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/** Copies messages of a conversation, and makes the link to the copy. */
async function createShare(
  deps: Deps,
  actor: SignedInActor,
  { conversation_id, entry_ids, days }: ShareCreate,
): Promise<Share> {
  const { db, conversationsRepository, sharesRepository, organizationKeys, audit, ids, clock, publicUrl } = deps;
  const { organizationId, userId } = actor;
  if (new Set(entry_ids).size < entry_ids.length)
    throw errors.invalidRequest("entry_ids is not valid: a message is in it twice.", { param: "entry_ids" });
  return db.transaction().execute(async (trx) => {
    if (!(await sharesRepository.isAllowed(organizationId, trx))) throw errors.chatShares.notAllowed();
    await conversationsRepository.lockOwner(actor, trx);
    const now = clock.now();
    if ((await sharesRepository.count(actor, now, trx)) >= MAX_SHARES)
      throw errors.chatShares.limitReached(`You have ${MAX_SHARES} links to chats already, which is the most.`);
    const row = await conversationsRepository.find(actor, conversation_id, trx);
    if (!row || row.deleted_at !== null) throw errors.conversations.notFound();
    const key = await organizationKeys.ensure(organizationId, trx);
    const messages = await copyMessages(deps, actor, { id: conversation_id, entryIds: entry_ids, key }, trx);
    const id = ids.next("shr");
    const share = await sharesRepository.insert(
      {
        id,
        organization_id: organizationId,
        user_id: userId,
        conversation_id,
        token_hash: hashSecret(key.tokenOf(id)),
        sealed_title: key.sealer.seal(toConversation(row, key).fields.title),
        sealed_messages: key.sealer.seal(messages),
        created_at: now,
        expires_at: new Date(now.getTime() + days * DAY_MS),
      },
      trx,
    );
    await audit.record({ actor, action: "chat_shares.create", target: id, details: { conversation_id, days } }, trx);
    return toShare({ ...share, is_readable: true }, key, publicUrl);
  });
}

/** Returns the copy of messages as JSON. They are read one by one, since each may carry files of many megabytes. */
async function copyMessages(
  { conversationsRepository }: Deps,
  owner: Owner,
  { id, entryIds, key }: { id: string; entryIds: readonly string[]; key: OrganizationKey },
  trx: Database,
): Promise<string> {
  const messages: SharedMessage[] = [];
  let bytes = 0;
  for (const [index, entryId] of entryIds.entries()) {
    const sealed = await conversationsRepository.findEntry(owner, id, entryId, trx);
    if (sealed === null) {
      const param = `entry_ids.${index}`;
      throw errors.invalidRequest(`${param} is not valid: the conversation has no message with this id.`, { param });
    }
    const message = toSharedMessage(openEntry(sealed, key));
    bytes += Buffer.byteLength(JSON.stringify(message));
    if (bytes > MAX_COPY_BYTES)
      throw errors.invalidRequest("entry_ids is not valid: the texts of the messages take more than 1 MB.", {
        param: "entry_ids",
      });
    messages.push(message);
  }
  return JSON.stringify(messages);
}

/** Leaves out what the page does not show: contents of files, thoughts, tool calls and their results. */
const toSharedMessage = ({ kind, text, question, answer }: Entry): SharedMessage => ({
  kind,
  text,
  model: answer?.model ?? null,
  files: (question?.attachments ?? []).map(({ name }) => name),
  is_complete: answer === undefined || answer.state === "done",
});

async function revokeShare({ db, sharesRepository, audit }: Deps, actor: SignedInActor, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await sharesRepository.remove(actor, id, trx))) throw errors.chatShares.notFound();
    await audit.record({ actor, action: "chat_shares.delete", target: id }, trx);
  });
}

/** Returns the copy for everybody who has the last part of the link's address. */
async function readShare({ sharesRepository, organizationKeys, clock }: Deps, token: string): Promise<SharedChat> {
  const row = await sharesRepository.findCopy(hashSecret(token), clock.now());
  const key = row && (await organizationKeys.find(row.organization_id));
  if (!row || !key) throw errors.chatShares.ended();
  return {
    title: key.sealer.open(row.sealed_title),
    messages: JSON.parse(key.sealer.open(row.sealed_messages)) as SharedMessage[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** Returns whether there is something to read under a link. */
async function isShared({ sharesRepository, clock }: Deps, token: string): Promise<boolean> {
  return (await sharesRepository.findCopy(hashSecret(token), clock.now())) !== null;
}
