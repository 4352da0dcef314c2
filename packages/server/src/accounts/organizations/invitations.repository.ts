import type { Insertable, Selectable } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Invitations } from "../../platform/core/db/schema.generated.ts";

/** A row of the table of invitations. */
export type InvitationRow = Selectable<Invitations>;

/** What changes when an invitation is sent again. */
export type InvitationRenewal = Pick<InvitationRow, "secret_hash" | "sent_at" | "expires_at" | "made_under_grant">;

/** Reads and writes invitations to organizations. */
export function createInvitationsRepository(db: Database) {
  const openInvitations = (trx: Database, organizationId: string) =>
    trx.selectFrom("invitations").where("organization_id", "=", organizationId).where("used_at", "is", null);

  return {
    /** Returns the invitations that are not accepted yet, newest first. */
    list: (organizationId: string): Promise<InvitationRow[]> =>
      openInvitations(db, organizationId).selectAll().orderBy("created_at", "desc").orderBy("id").execute(),

    find: (organizationId: string, id: string, trx: Database): Promise<InvitationRow | undefined> =>
      openInvitations(trx, organizationId).selectAll().where("id", "=", id).forUpdate().executeTakeFirst(),

    findByEmail: (organizationId: string, emailLower: string, trx: Database) =>
      openInvitations(trx, organizationId).selectAll().where("email_lower", "=", emailLower).executeTakeFirst(),

    async count(organizationId: string, trx: Database): Promise<number> {
      const { count } = await openInvitations(trx, organizationId)
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return count;
    },

    create: (row: Insertable<Invitations>, trx: Database): Promise<InvitationRow> =>
      trx.insertInto("invitations").values(row).returningAll().executeTakeFirstOrThrow(),

    renew: (id: string, renewal: InvitationRenewal, trx: Database): Promise<InvitationRow> =>
      trx.updateTable("invitations").set(renewal).where("id", "=", id).returningAll().executeTakeFirstOrThrow(),

    delete: (id: string, trx: Database) => trx.deleteFrom("invitations").where("id", "=", id).execute(),

    findBySecret: (secretHash: Buffer, now: Date, trx: Database): Promise<InvitationRow | undefined> =>
      trx
        .selectFrom("invitations")
        .selectAll()
        .where("secret_hash", "=", secretHash)
        .where("used_at", "is", null)
        .where("expires_at", ">", now)
        .executeTakeFirst(),

    /** Marks an invitation as used by the account with this e-mail address. Of concurrent calls one succeeds. */
    markUsed: (secretHash: Buffer, emailLower: string, now: Date, trx: Database): Promise<InvitationRow | undefined> =>
      trx
        .updateTable("invitations")
        .set({ used_at: now })
        .where("secret_hash", "=", secretHash)
        .where("email_lower", "=", emailLower)
        .where("used_at", "is", null)
        .where("expires_at", ">", now)
        .returningAll()
        .executeTakeFirst(),
  };
}

export type InvitationsRepository = ReturnType<typeof createInvitationsRepository>;
