import { type AttentionItem, toAttentionItem } from "../../platform/core/attention.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { DAY_MS } from "../../platform/core/time.ts";

const MAIL_WINDOW_MS = 7 * DAY_MS;

/** The backends that this process knows. */
export type ListBackends = () => readonly { name: string; isOwn: boolean; isUp: boolean }[];

/** What is read about the platform: its database, its backends, and the free space on the disk of the data folder in bytes. */
export type PlatformSources = { db: Database; listBackends: ListBackends; readFreeBytes: () => Promise<number> };

/** Free bytes of the disk: below the first number there is a warning, below the second an error. */
const LITTLE_SPACE_BYTES = 5e9;
const NO_SPACE_BYTES = 1e9;

/** Returns what the admins of the platform should look at. `limit` bounds the backends. */
export async function listPlatformAttention(
  { db, listBackends, readFreeBytes }: PlatformSources,
  { now, limit }: { now: Date; limit: number },
): Promise<AttentionItem[]> {
  const counted = await Promise.all([
    countFailedMail(db, new Date(now.getTime() - MAIL_WINDOW_MS)),
    countWaitingAccounts(db),
    countRequestedModels(db),
    countPendingPurchases(db),
    findLittleSpace(readFreeBytes),
  ]);
  return [...listDownBackends(listBackends).slice(0, limit), ...counted.flat()];
}

/** Engines that this server starts have states of their own, which say when they are started again. */
function listDownBackends(listBackends: ListBackends): AttentionItem[] {
  return listBackends()
    .filter(({ isOwn, isUp }) => !isOwn && !isUp)
    .map(({ name }) =>
      toAttentionItem({
        kind: "backend_down",
        severity: "error",
        subject: name,
        message: `The backend ${name} does not answer.`,
      }),
    );
}

async function countFailedMail(db: Database, since: Date): Promise<AttentionItem[]> {
  const { count, at } = await db
    .selectFrom("outbox")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("failed_at").as("at")])
    .where("failed_at", ">", since)
    .executeTakeFirstOrThrow();
  const message = `${count === 1 ? "A message" : `${count} messages`} of the last 7 days could not be delivered.`;
  return count === 0
    ? []
    : [toAttentionItem({ kind: "mail_failed", severity: "error", count, happens_at: at, message })];
}

async function countWaitingAccounts(db: Database): Promise<AttentionItem[]> {
  const { count, at } = await db
    .selectFrom("users")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("approval_requested_at").as("at")])
    .where("approval_requested_at", "is not", null)
    .where("email_verified_at", "is not", null)
    .executeTakeFirstOrThrow();
  const message = count === 1 ? "An account waits for approval." : `${count} accounts wait for approval.`;
  return count === 0
    ? []
    : [toAttentionItem({ kind: "accounts_waiting", severity: "info", count, happens_at: at, message })];
}

async function countRequestedModels(db: Database): Promise<AttentionItem[]> {
  const { count, at } = await db
    .selectFrom("model_requests")
    .select((eb) => [eb.fn.count<number>("id_lower").distinct().as("count"), eb.fn.min("created_at").as("at")])
    .where("answered_at", "is", null)
    .executeTakeFirstOrThrow();
  const message = `People ask for ${count === 1 ? "a model that does" : `${count} models that do`} not run.`;
  return count === 0
    ? []
    : [toAttentionItem({ kind: "models_requested", severity: "info", count, happens_at: at, message })];
}

async function countPendingPurchases(db: Database): Promise<AttentionItem[]> {
  const { count, at } = await db
    .selectFrom("marketplace_accounts")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("created_at").as("at")])
    .where("status", "=", "pending")
    .executeTakeFirstOrThrow();
  const message = `${count === 1 ? "A purchase at a cloud marketplace is" : `${count} purchases at cloud marketplaces are`} pending.`;
  return count === 0
    ? []
    : [toAttentionItem({ kind: "purchases_pending", severity: "info", count, happens_at: at, message })];
}

/** A disk that cannot be read says nothing: what needs it fails and says so itself. */
async function findLittleSpace(readFreeBytes: () => Promise<number>): Promise<AttentionItem[]> {
  const free = await readFreeBytes().catch(() => Number.POSITIVE_INFINITY);
  if (free >= LITTLE_SPACE_BYTES) return [];
  const message = `The disk of the data folder has ${(free / 1e9).toFixed(1)} GB free.`;
  return [
    toAttentionItem({ kind: "disk_nearly_full", severity: free < NO_SPACE_BYTES ? "error" : "warning", message }),
  ];
}
