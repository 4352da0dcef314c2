import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { PortalSessions } from "../../../platform/core/db/schema.generated.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../../platform/core/secrets/secrets.ts";
import { HOUR_MS } from "../../../platform/core/time.ts";
import type { Buyer } from "../buyer.ts";

/** A row of the table of portal sessions. */
export type PortalSessionRow = Selectable<PortalSessions>;

const SESSION_LIFETIME_MS = HOUR_MS;

type Deps = { db: Database; clock: Clock; refuseWhilePaymentsOff(): void; random?: RandomBytes };

/** Sessions of the customer portal, the page for cards and invoices. */
export function createPortal({ db, clock, refuseWhilePaymentsOff, random = randomBytes }: Deps) {
  return {
    /** Creates a session that expires after an hour, and returns its secret token. */
    async createSession({ userId, organizationId }: Buyer): Promise<string> {
      refuseWhilePaymentsOff();
      const token = createSecret("one", random);
      const now = clock.now();
      await db
        .insertInto("portal_sessions")
        .values({
          secret_hash: hashSecret(token),
          organization_id: organizationId,
          user_id: userId,
          created_at: now,
          expires_at: new Date(now.getTime() + SESSION_LIFETIME_MS),
        })
        .execute();
      return token;
    },

    findSession: (token: string): Promise<PortalSessionRow | undefined> =>
      db
        .selectFrom("portal_sessions")
        .selectAll()
        .where("secret_hash", "=", hashSecret(token))
        .where("expires_at", ">", clock.now())
        .executeTakeFirst(),
  };
}

export type Portal = ReturnType<typeof createPortal>;
