import type { Database } from "../db/connect.ts";
import { errors } from "../errors/index.ts";
import type { Delegation, SignedInActor } from "./actor.ts";

/**
 * Returns the application that the caller's credential belongs to: an access token, or a key that the application created.
 * Null if users act themselves.
 */
export function delegationOf({ credential }: SignedInActor): Delegation | null {
  return credential.type === "key" || credential.type === "oauth" ? credential.delegation : null;
}

/**
 * Returns the columns that tie a new credential to the grant it is created under. Locks the grant until the transaction
 * ends, and throws 401 when it was revoked meanwhile.
 */
export async function lockDelegationColumns(actor: SignedInActor, trx: Database) {
  const delegation = delegationOf(actor);
  if (delegation === null) return { made_by_application: null, made_under_grant: null };
  const { applicationId, grantId } = delegation;
  const grant = await trx
    .selectFrom("oauth_grants")
    .select("id")
    .where("id", "=", grantId)
    .forKeyShare()
    .executeTakeFirst();
  if (!grant) throw errors.unauthorized("The permission of this application was taken back.");
  return { made_by_application: applicationId, made_under_grant: grantId };
}
