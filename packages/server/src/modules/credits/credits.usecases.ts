import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import { notFound } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Audit } from "../audit/audit.ts";
import type { CreditsRepository } from "./credits.repository.ts";
import type { CreditBalance, Credits } from "./credits.ts";

/** Credits in nano-USD that an admin grants, or revokes when below zero. */
export type AdminGrant = { userId: string; amount: bigint; reason: string; idempotencyId: string | undefined };

/** Returns a function that grants or revokes credits of a user's organization, for admins. */
export function createGrantByAdmin(deps: {
  db: Database;
  credits: Credits;
  creditRows: CreditsRepository;
  audit: Audit;
  ids: Ids;
}) {
  const { db, credits, creditRows, audit, ids } = deps;
  return async (actor: SignedIn, { userId, amount, reason, idempotencyId }: AdminGrant): Promise<CreditBalance> => {
    const organizationId = await creditRows.organizationOf(userId);
    if (organizationId === null) throw notFound("There is no user with this id.", "users.not_found");
    const reference = `admin_grant:${idempotencyId ?? ids.next("txn")}`;
    return db.transaction().execute(async (trx) => {
      const grant = { kind: "grant", description: reason, reference } as const;
      const { id, isNew } = await credits.grantOnce(organizationId, amount, grant, trx);
      const balance = await credits.balance(organizationId, trx);
      const details = { transaction: id, organization: organizationId, amount_nano_usd: String(amount), reason };
      if (isNew) await audit.record({ actor, action: "credits.grant", target: userId, details }, trx);
      return balance;
    });
  };
}
