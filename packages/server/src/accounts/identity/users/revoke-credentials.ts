import type { Database } from "../../../platform/core/db/connect.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import { HAS_PASSKEY } from "./users.repository.ts";

/**
 * Keys younger than this may have been created by a person who knew the old password, because a session cannot last longer.
 */
const SUSPECT_KEY_AGE_MS = 30 * DAY_MS;
const MAX_LISTED_NAMES = 50;

/** Deletes all OAuth grants of a user. Returns the ids of their applications. */
export type DeleteUserGrants = (userId: string, trx: Database) => Promise<string[]>;

/** The names of the credentials that were revoked in addition to sessions. */
export type RevokedCredentials = {
  applications: string[];
  keys: string[];
  deployments: string[];
  /** Accounts at sign-in providers that were disconnected. */
  providers: string[];
  /** Whether authenticator app, passkeys and recovery codes were removed. False if there was none. */
  factors: boolean;
  /** Passkeys that no longer sign in alone. */
  passkeys: string[];
  /** Addresses whose open invitations were withdrawn. */
  invitations: string[];
};
/** The credentials to revoke in addition to grants of applications. */
export type RevocationScope = {
  /** API keys and deployment tokens: none, those created within 30 days, or all. */
  keys: "none" | "recent" | "all";
  /** Whether sign-in providers are disconnected. */
  providers: boolean;
  /**
   * What happens to second factors: all stay as they are, or all are removed, or passkeys remain a second factor but no
   * longer sign in alone.
   */
  factors: "stay" | "second only" | "removed";
  /** Whether open invitations that the user sent are withdrawn. */
  invitations: boolean;
};

/** The scope for the first proof that an address is its owner's: whoever made the account may be somebody else. */
export const EVERYTHING: RevocationScope = { keys: "all", providers: true, factors: "removed", invitations: true };

/**
 * Revokes credentials that act for a user without a password or sign the user in: grants of applications, and those in
 * `scope`. A pending change of address and links that were sent are revoked too.
 */
export async function revokeCredentials(
  userId: string,
  { scope, now, deleteUserGrants }: { scope: RevocationScope; now: Date; deleteUserGrants: DeleteUserGrants },
  trx: Database,
): Promise<RevokedCredentials> {
  const applications = await listApplicationNames(await deleteUserGrants(userId, trx), trx);
  await trx.deleteFrom("one_time_tokens").where("user_id", "=", userId).where("used_at", "is", null).execute();
  await trx.updateTable("users").set({ pending_email: null }).where("id", "=", userId).execute();
  const providers = scope.providers ? await unlinkProviders(userId, trx) : [];
  const factors = scope.factors === "removed" && (await removeFactors(userId, trx));
  const passkeys = scope.factors === "second only" ? await restrictPasskeys(userId, trx) : [];
  const invitations = scope.invitations ? await withdrawInvitations(userId, trx) : [];
  const { keys, deployments } =
    scope.keys === "none" ? { keys: [], deployments: [] } : await revokeKeys(userId, scope.keys, now, trx);
  return { applications, keys, deployments, providers, factors, passkeys, invitations };
}

async function revokeKeys(userId: string, which: "recent" | "all", now: Date, trx: Database) {
  const since = which === "all" ? new Date(0) : new Date(now.getTime() - SUSPECT_KEY_AGE_MS);
  const keys = await trx
    .updateTable("api_keys")
    .set({ deleted_at: now })
    .where("created_by", "=", userId)
    .where("created_at", ">=", since)
    .where("deleted_at", "is", null)
    .returning(["id", "name"])
    .execute();
  const ownDeployments = trx.selectFrom("deployments").select("id").where("created_by", "=", userId);
  const tokens = await trx
    .deleteFrom("deployment_tokens")
    .where((eb) =>
      eb.or([
        eb("user_id", "=", userId),
        eb.and([eb("deployment_id", "in", ownDeployments), eb("created_at", ">=", since)]),
        ...(keys.length > 0
          ? [
              eb(
                "made_by_key",
                "in",
                keys.map(({ id }) => id),
              ),
            ]
          : []),
      ]),
    )
    .returning("deployment_id")
    .execute();
  const ids = [...new Set(tokens.map(({ deployment_id }) => deployment_id))];
  return { keys: keys.map(({ name }) => name), deployments: await listDeploymentNames(ids, trx) };
}

/** Returns the disconnected accounts as provider and address. */
async function unlinkProviders(userId: string, trx: Database): Promise<string[]> {
  const rows = await trx
    .deleteFrom("linked_accounts")
    .where("user_id", "=", userId)
    .returning(["provider", "email"])
    .execute();
  return rows.map(({ provider, email }) => (email === null ? provider : `${provider} (${email})`)).sort();
}

/** Removes authenticator app, passkeys and recovery codes. Returns whether there was a factor. */
async function removeFactors(userId: string, trx: Database): Promise<boolean> {
  const before = await trx
    .selectFrom("users")
    .select(["totp_enabled_at", HAS_PASSKEY.as("has_passkey")])
    .where("id", "=", userId)
    .executeTakeFirst();
  await trx
    .updateTable("users")
    .set({ totp_enabled_at: null, sealed_totp_secret: null, totp_last_step: 0 })
    .where("id", "=", userId)
    .execute();
  await trx.deleteFrom("passkeys").where("user_id", "=", userId).execute();
  await trx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  return before !== undefined && (before.totp_enabled_at !== null || before.has_passkey);
}

/** Lets passkeys sign in only after a password, until they were used that way. Returns their names. */
async function restrictPasskeys(userId: string, trx: Database): Promise<string[]> {
  const rows = await trx
    .updateTable("passkeys")
    .set({ signs_in_alone: false })
    .where("user_id", "=", userId)
    .returning("name")
    .execute();
  return rows.map(({ name }) => name).sort();
}

/** Withdraws the open invitations of a user, to organizations and to the platform. Returns the invited addresses. */
async function withdrawInvitations(userId: string, trx: Database): Promise<string[]> {
  const toOrganizations = await trx
    .deleteFrom("invitations")
    .where("invited_by", "=", userId)
    .where("used_at", "is", null)
    .returning("email")
    .execute();
  const toPlatform = await trx
    .deleteFrom("platform_invitations")
    .where("invited_by", "=", userId)
    .returning("email")
    .execute();
  return [...new Set([...toOrganizations, ...toPlatform].map(({ email }) => email))].sort();
}

/** Returns the values of the mail that says what was revoked. Lists are cut to a few names; null stands for an empty one. */
export function listRevoked(revoked: RevokedCredentials) {
  const toList = (names: readonly string[]) => {
    if (names.length === 0) return null;
    const suffix = names.length > MAX_LISTED_NAMES ? ` and ${names.length - MAX_LISTED_NAMES} more` : "";
    return `${names.slice(0, MAX_LISTED_NAMES).join(", ")}${suffix}`;
  };
  const lists = {
    applications: toList(revoked.applications),
    keys: toList(revoked.keys),
    deployments: toList(revoked.deployments),
    providers: toList(revoked.providers),
    passkeys: toList(revoked.passkeys),
    invitations: toList(revoked.invitations),
  };
  const hasRevoked = revoked.factors || Object.values(lists).some((list) => list !== null);
  return { ...lists, second_factor_removed: revoked.factors, has_revoked: hasRevoked };
}

async function listApplicationNames(ids: readonly string[], trx: Database): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await trx.selectFrom("applications").select("name").where("id", "in", ids).execute();
  return rows.map(({ name }) => name);
}

async function listDeploymentNames(ids: readonly string[], trx: Database): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await trx.selectFrom("deployments").select("name").where("id", "in", ids).execute();
  return rows.map(({ name }) => name);
}
