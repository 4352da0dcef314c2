import { bind } from "../core/bind.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import { hashSecret } from "../core/secrets/secrets.ts";
import { DAY_MS } from "../core/time.ts";
import { findSecrets, redactSecrets } from "./message-secrets.ts";

const MESSAGE_RETENTION_MS = 30 * DAY_MS;
const BATCH_SIZE = 500;

type Context = { db: Database; clock: Clock };

/** Creates the job that deletes messages after 30 days and removes links that have expired from the remaining ones. */
export function createOutboxCleanupJob(db: Database, clock: Clock) {
  const context: Context = { db, clock };
  return {
    ...bind(context, {
      run: cleanUp,
    }),
    name: "keep the outbox small",
    everySeconds: 60,
  };
}

/** Returns the hashes, in base64, whose links are still usable. */
async function findUsableHashes(context: Context, hashes: readonly Buffer[], now: Date): Promise<Set<string>> {
  const { db } = context;
  if (hashes.length === 0) return new Set();
  const [tokens, invitations, platformInvitations] = await Promise.all([
    db
      .selectFrom("one_time_tokens")
      .select("secret_hash")
      .where("secret_hash", "in", hashes)
      .where("used_at", "is", null)
      .where("expires_at", ">", now)
      .execute(),
    db
      .selectFrom("invitations")
      .select("secret_hash")
      .where("secret_hash", "in", hashes)
      .where("used_at", "is", null)
      .where("expires_at", ">", now)
      .execute(),
    db
      .selectFrom("platform_invitations")
      .select("secret_hash")
      .where("secret_hash", "in", hashes)
      .where("expires_at", ">", now)
      .execute(),
  ]);
  return new Set([...tokens, ...invitations, ...platformInvitations].map((row) => row.secret_hash.toString("base64")));
}

async function removeExpiredLinks(context: Context, now: Date): Promise<void> {
  const { db } = context;
  const rows = await db
    .selectFrom("outbox")
    .select(["id", "body"])
    .where("body", "~", "one_[0-9A-Za-z]{49}")
    .orderBy("created_at")
    .limit(BATCH_SIZE)
    .execute();
  const toHash = (secret: string) => hashSecret(secret).toString("base64");
  const usableHashes = await findUsableHashes(
    context,
    rows.flatMap(({ body }) => findSecrets(body).map(hashSecret)),
    now,
  );
  for (const { id, body } of rows)
    if (!findSecrets(body).some((secret) => usableHashes.has(toHash(secret))))
      await db
        .updateTable("outbox")
        .set({ body: redactSecrets(body, "(ended)") })
        .where("id", "=", id)
        .execute();
}

async function cleanUp(context: Context): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  await db
    .deleteFrom("outbox")
    .where("created_at", "<", new Date(now.getTime() - MESSAGE_RETENTION_MS))
    .execute();
  await removeExpiredLinks(context, now);
}
