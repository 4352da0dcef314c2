import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { PortalSessions } from "../../db/schema.generated.ts";
import type { Clock } from "../../shared/clock.ts";
import { hashSecret, newSecret, type RandomBytes } from "../../shared/secrets.ts";
import type { Buyer } from "./pricing.ts";

/** A row of the table of portal sessions. */
export type PortalRow = Selectable<PortalSessions>;

const LIFETIME = 3_600_000;

type Deps = { db: Database; clock: Clock; refuseWhileOff(): void; random?: RandomBytes };

/** Sessions of the customer portal, the page for cards and invoices. */
export function createPortal({ db, clock, refuseWhileOff, random = randomBytes }: Deps) {
  return {
    /** Creates a session that expires after an hour, and returns its secret token. */
    async begin({ userId, organizationId }: Buyer): Promise<string> {
      refuseWhileOff();
      const token = newSecret("one", random);
      const now = clock.now();
      await db
        .insertInto("portal_sessions")
        .values({
          secret_hash: hashSecret(token),
          organization_id: organizationId,
          user_id: userId,
          created_at: now,
          expires_at: new Date(now.getTime() + LIFETIME),
        })
        .execute();
      return token;
    },

    find: (token: string): Promise<PortalRow | undefined> =>
      db
        .selectFrom("portal_sessions")
        .selectAll()
        .where("secret_hash", "=", hashSecret(token))
        .where("expires_at", ">", clock.now())
        .executeTakeFirst(),
  };
}

export type Portal = ReturnType<typeof createPortal>;
