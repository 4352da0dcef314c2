import type { ExportRow as Row, ExportSection as Section } from "../../accounts/index.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Owner } from "./conversation.ts";
import type { ConversationsRepository } from "./conversations.repository.ts";
import type { ConversationUseCases } from "./conversations.usecases.ts";
import type { ShareUseCases } from "./shares.usecases.ts";

type Deps = {
  db: Database;
  conversationsRepository: ConversationsRepository;
  conversations: ConversationUseCases;
  shares: Pick<ShareUseCases, "list">;
};

/** Returns a function that lists what is kept for a user in all organizations: conversations, their messages, and links to them. */
export function createListKept(deps: Deps) {
  return (userId: string): Section[] => [
    { name: "conversations", rows: readConversations(deps, userId) },
    { name: "conversation_messages", rows: readMessages(deps, userId) },
    { name: "chat_shares", rows: readShares(deps, userId) },
  ];
}

/** Returns the user in each organization in which they have or had conversations. */
async function listOwners({ db }: Deps, userId: string): Promise<Owner[]> {
  const owners = await db
    .selectFrom("conversation_owners")
    .select("organization_id")
    .where("user_id", "=", userId)
    .orderBy("organization_id")
    .execute();
  return owners.map(({ organization_id: organizationId }) => ({ organizationId, userId }));
}

/** Yields pages of the changes of a user's conversations in each organization, from the first. */
async function* readChanges(deps: Deps, userId: string) {
  const { conversations } = deps;
  for (const owner of await listOwners(deps, userId)) {
    let page = await conversations.listChanges(owner, 0);
    yield { owner, page };
    while (page.hasMore) {
      page = await conversations.listChanges(owner, page.revision);
      yield { owner, page };
    }
  }
}

async function* readConversations(deps: Deps, userId: string): AsyncGenerator<readonly Row[]> {
  for await (const { owner, page } of readChanges(deps, userId))
    yield page.conversations.map(({ id, fields, createdAt, updatedAt, deletedAt }) => ({
      organization_id: owner.organizationId,
      id,
      ...fields,
      created_at: createdAt,
      updated_at: updatedAt,
      deleted_at: deletedAt,
    }));
}

async function* readMessages(deps: Deps, userId: string): AsyncGenerator<readonly Row[]> {
  for await (const { owner, page } of readChanges(deps, userId))
    for (const { id } of page.conversations) yield* readEntries(deps, owner, id);
}

async function* readEntries(
  { conversations, conversationsRepository }: Deps,
  owner: Owner,
  id: string,
): AsyncGenerator<readonly Row[]> {
  for (let after: number | null = 0; after !== null; ) {
    // It may have been deleted meanwhile.
    if (!(await conversationsRepository.find(owner, id))) return;
    const page: Awaited<ReturnType<ConversationUseCases["listEntries"]>> = await conversations.listEntries(
      owner,
      id,
      after,
    );
    yield page.entries.map((entry) => ({ conversation_id: id, ...entry }));
    after = page.nextAfter;
  }
}

async function* readShares(deps: Deps, userId: string): AsyncGenerator<readonly Row[]> {
  for (const owner of await listOwners(deps, userId))
    yield (await deps.shares.list(owner)).map(({ id, conversationId, title, createdAt, expiresAt }) => ({
      organization_id: owner.organizationId,
      id,
      conversation_id: conversationId,
      title,
      created_at: createdAt,
      expires_at: expiresAt,
    }));
}
