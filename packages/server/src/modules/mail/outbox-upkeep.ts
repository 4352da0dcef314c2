import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { hashSecret } from "../../shared/secrets.ts";
import { secretsIn, withoutSecrets } from "./secrets.ts";

const KEEP_MESSAGES_MS = 30 * 86_400_000;
const BATCH = 500;

/** Creates the job that deletes messages after 30 days and removes links that have expired from the remaining ones. */
export function createOutboxUpkeep(db: Database, clock: Clock) {
  /** Returns the hashes, in base64, whose links are still usable. */
  async function openHashes(hashes: readonly Buffer[], now: Date): Promise<Set<string>> {
    if (hashes.length === 0) return new Set();
    const [tokens, invitations, platform] = await Promise.all([
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
    return new Set([...tokens, ...invitations, ...platform].map((row) => row.secret_hash.toString("base64")));
  }

  async function removeEndedLinks(now: Date): Promise<void> {
    const rows = await db
      .selectFrom("outbox")
      .select(["id", "body"])
      .where("body", "~", "one_[0-9A-Za-z]{49}")
      .orderBy("created_at")
      .limit(BATCH)
      .execute();
    const hashOf = (secret: string) => hashSecret(secret).toString("base64");
    const open = await openHashes(
      rows.flatMap(({ body }) => secretsIn(body).map(hashSecret)),
      now,
    );
    for (const { id, body } of rows)
      if (!secretsIn(body).some((secret) => open.has(hashOf(secret))))
        await db
          .updateTable("outbox")
          .set({ body: withoutSecrets(body, "(ended)") })
          .where("id", "=", id)
          .execute();
  }

  return {
    name: "keep the outbox small",
    everySeconds: 60,
    async run(): Promise<void> {
      const now = clock.now();
      await db
        .deleteFrom("outbox")
        .where("created_at", "<", new Date(now.getTime() - KEEP_MESSAGES_MS))
        .execute();
      await removeEndedLinks(now);
    },
  };
}
