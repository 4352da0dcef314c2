import { sql } from "kysely";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Job } from "../../platform/core/jobs.ts";
import { DAY_MS, HOUR_S } from "../../platform/core/time.ts";
import type { Owner } from "./conversation.ts";
import type { ConversationsRepository } from "./conversations.repository.ts";
import type { SharesRepository } from "./shares.repository.ts";

type Deps = {
  db: Database;
  conversationsRepository: ConversationsRepository;
  sharesRepository: Pick<SharesRepository, "removeEnded">;
  clock: Clock;
};

/** How long a conversation is in the trash, and how long those of people are kept who left the organization. */
const TRASH_DAYS = 30;
/** How long the list of changes names a deleted conversation. */
const DELETION_DAYS = 90;
const BATCH_SIZE = 200;

/**
 * Creates the job that deletes conversations whose time has come: those unchanged for the days that their organization keeps
 * them, those in the trash for 30 days, and those of people who left the organization and have not changed them for 30 days. It
 * deletes the copies behind links that have ended too.
 */
export function createDeleteOldConversations(deps: Deps): Job {
  return { name: "delete old conversations", everySeconds: HOUR_S, run: (stopping) => deleteOld(deps, stopping) };
}

async function deleteOld(deps: Deps, stopping?: AbortSignal): Promise<void> {
  const { db, conversationsRepository, sharesRepository, clock } = deps;
  const now = clock.now();
  await sharesRepository.removeEnded(now);
  let batch: Due[];
  do {
    batch = await listDue(db, now);
    for (const { id, ...owner } of batch)
      await db.transaction().execute(async (trx) => {
        const { revision } = await conversationsRepository.lockOwner(owner, trx);
        await conversationsRepository.remove(owner, id, { revision, at: now }, trx);
      });
  } while (batch.length === BATCH_SIZE && !stopping?.aborted);
  await db
    .deleteFrom("deleted_conversations")
    .where("deleted_at", "<", new Date(now.getTime() - DELETION_DAYS * DAY_MS))
    .execute();
}

type Due = Owner & { id: string };

/** Lists conversations to delete. The time at which the server stored the latest change counts, since clients set the others. */
async function listDue(db: Database, now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select conversations.organization_id as "organizationId", conversations.user_id as "userId", conversations.id
    from conversations join organizations on organizations.id = conversations.organization_id
    left join memberships on memberships.organization_id = conversations.organization_id
      and memberships.user_id = conversations.user_id
    where stored_at < ${now}::timestamptz - make_interval(days => chat_retention_days)
      or (deleted_at is not null and stored_at < ${now}::timestamptz - make_interval(days => ${TRASH_DAYS}))
      or (memberships.user_id is null and stored_at < ${now}::timestamptz - make_interval(days => ${TRASH_DAYS}))
    limit ${BATCH_SIZE}`.execute(db);
  return rows;
}
