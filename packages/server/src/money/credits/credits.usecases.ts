import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { lockOrganizationsForKeyShare } from "../../platform/core/db/locks.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { CreditsRepository } from "./credits.repository.ts";
import type { CreditBalance, Credits } from "./credits.ts";

/** Credits in nano-USD that an admin grants, or revokes when below zero. */
export type AdminGrant = { userId: string; amountNano: bigint; reason: string; idempotencyId: string | undefined };

/** Returns a function that grants or revokes credits of a user's organization, for admins. */
export function createGrantCreditsByAdmin(deps: {
  db: Database;
  credits: Credits;
  creditsRepository: CreditsRepository;
  audit: Audit;
  ids: Ids;
}) {
  const { db, credits, creditsRepository, audit, ids } = deps;
  return async (
    actor: SignedInActor,
    { userId, amountNano, reason, idempotencyId }: AdminGrant,
  ): Promise<CreditBalance> => {
    const organizationId = await creditsRepository.findOrganizationId(userId);
    if (organizationId === null) throw errors.users.notFound();
    const reference = `admin_grant:${idempotencyId ?? ids.next("txn")}`;
    return db.transaction().execute(async (trx) => {
      const [foundId] = await lockOrganizationsForKeyShare([organizationId], trx);
      if (foundId === undefined) throw errors.users.notFound(); // deleted together with the user
      const grant = { kind: "grant", description: reason, reference } as const;
      const { id, isNew } = await credits.grantOnce(organizationId, amountNano, grant, trx);
      const balance = await credits.balance(organizationId, trx);
      const details = { transaction: id, organization: organizationId, amount_nano_usd: String(amountNano), reason };
      if (isNew) await audit.record({ actor, action: "credits.grant", target: userId, details }, trx);
      return balance;
    });
  };
}
