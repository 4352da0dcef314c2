import type { Database } from "../../db/connect.ts";
import type { Delegation, SignedIn } from "../../http/actor.ts";
import { unauthorized } from "../../shared/errors.ts";

/** The application on whose permission a caller acts, directly or with a key that it made; null for people themselves. */
export function delegationOf({ credential }: SignedIn): Delegation | null {
  return credential.type === "key" || credential.type === "oauth" ? credential.delegation : null;
}

/**
 * The columns by which a new credential ends with the permission it is made under. Holds the permission until the
 * transaction ends, and throws 401 where it was taken back meanwhile.
 */
export async function delegationColumns(actor: SignedIn, trx: Database) {
  const delegation = delegationOf(actor);
  if (delegation === null) return { made_by_application: null, made_under_grant: null };
  const { applicationId, grantId } = delegation;
  const grant = await trx
    .selectFrom("oauth_grants")
    .select("id")
    .where("id", "=", grantId)
    .forKeyShare()
    .executeTakeFirst();
  if (!grant) throw unauthorized("The permission of this application was taken back.");
  return { made_by_application: applicationId, made_under_grant: grantId };
}
