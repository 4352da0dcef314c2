import type { Database } from "../../db/connect.ts";
import { endGrantsOfUser } from "../oauth/end-grants.ts";

/** Keys younger than this may have been created by somebody who knew the old password: a session lasts no longer. */
const SUSPECT_KEYS_MS = 30 * 86_400_000;
const MAX_NAMES = 50;

/** Names of what a change of password revoked besides sessions. */
export type EndedCredentials = { applications: string[]; keys: string[]; deployments: string[] };

/** Revokes what acts for a user without a password: grants of applications and, with `endKeys`, recent API keys and deployment tokens. */
export async function endCredentials(
  userId: string,
  { endKeys, now }: { endKeys: boolean; now: Date },
  trx: Database,
): Promise<EndedCredentials> {
  const applications = await namesOfApplications(await endGrantsOfUser(userId, trx), trx);
  if (!endKeys) return { applications, keys: [], deployments: [] };
  const since = new Date(now.getTime() - SUSPECT_KEYS_MS);
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
  return { applications, keys: keys.map(({ name }) => name), deployments: await namesOfDeployments(ids, trx) };
}

/** Describes what was revoked, for a mail; an empty string if nothing was. */
export function describeEnded({ applications, keys, deployments }: EndedCredentials): string {
  const line = (what: string, names: readonly string[]) => {
    if (names.length === 0) return [];
    const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
    return [`${what}: ${names.slice(0, MAX_NAMES).join(", ")}${more}`];
  };
  const lines = [
    ...line("Applications that may no longer act for you", applications),
    ...line("API keys that no longer work", keys),
    ...line("Deployments whose token no longer works", deployments),
  ];
  return lines.length === 0 ? "" : `\n\n${lines.join("\n")}`;
}

async function namesOfApplications(ids: readonly string[], trx: Database): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await trx.selectFrom("applications").select("name").where("id", "in", ids).execute();
  return rows.map(({ name }) => name);
}

async function namesOfDeployments(ids: readonly string[], trx: Database): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await trx.selectFrom("deployments").select("name").where("id", "in", ids).execute();
  return rows.map(({ name }) => name);
}
