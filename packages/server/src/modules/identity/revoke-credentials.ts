import type { Database } from "../../core/db/connect.ts";
import { DAY_MS } from "../../core/time.ts";

/** Keys younger than this may have been created by somebody who knew the old password: a session lasts no longer. */
const SUSPECT_KEY_AGE_MS = 30 * DAY_MS;
const MAX_LISTED_NAMES = 50;

/** Deletes all OAuth grants of a user; returns the ids of the applications that had one. */
export type DeleteUserGrants = (userId: string, trx: Database) => Promise<string[]>;

/** Names of what a change of password revoked besides sessions. */
export type RevokedCredentials = { applications: string[]; keys: string[]; deployments: string[] };

/** Revokes what acts for a user without a password: grants of applications and, with `endKeys`, recent API keys and deployment tokens. */
export async function revokeCredentials(
  userId: string,
  { endKeys, now, deleteUserGrants }: { endKeys: boolean; now: Date; deleteUserGrants: DeleteUserGrants },
  trx: Database,
): Promise<RevokedCredentials> {
  const applications = await listApplicationNames(await deleteUserGrants(userId, trx), trx);
  if (!endKeys) return { applications, keys: [], deployments: [] };
  const since = new Date(now.getTime() - SUSPECT_KEY_AGE_MS);
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
  return { applications, keys: keys.map(({ name }) => name), deployments: await listDeploymentNames(ids, trx) };
}

/** Describes what was revoked, for a mail; an empty string if nothing was. */
export function describeRevoked({ applications, keys, deployments }: RevokedCredentials): string {
  const toLine = (label: string, names: readonly string[]) => {
    if (names.length === 0) return [];
    const suffix = names.length > MAX_LISTED_NAMES ? ` and ${names.length - MAX_LISTED_NAMES} more` : "";
    return [`${label}: ${names.slice(0, MAX_LISTED_NAMES).join(", ")}${suffix}`];
  };
  const lines = [
    ...toLine("Applications that may no longer act for you", applications),
    ...toLine("API keys that no longer work", keys),
    ...toLine("Deployments whose token no longer works", deployments),
  ];
  return lines.length === 0 ? "" : `\n\n${lines.join("\n")}`;
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
