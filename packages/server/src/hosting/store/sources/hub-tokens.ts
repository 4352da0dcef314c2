import { sql } from "kysely";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Sealer } from "../../../platform/core/secrets/sealing.ts";
import type { HubModel } from "../../hub/index.ts";

type Deps = {
  db: Database;
  sealer: Sealer;
  /** The operator's token; undefined without one. */
  operatorToken: string | undefined;
};

/** Finds tokens for downloads from the hub that an administrator starts. */
export type HubTokens = {
  /** The operator's token, which may read any repository; undefined without one. */
  readonly operatorToken: string | undefined;
  /** Returns the token for a repository: the operator's; without one, for a gated repository, the newest that a user left. */
  forRepository(repository: Pick<HubModel, "id" | "gated">): Promise<string | undefined>;
};

/** Creates the lookup of hub tokens. Tokens of users exist only if the operator's settings allow storing them. */
export function createHubTokens({ db, sealer, operatorToken }: Deps): HubTokens {
  return {
    operatorToken,
    async forRepository({ id, gated }) {
      if (operatorToken !== undefined || !gated) return operatorToken;
      const sealed = await findKeptToken(db, id);
      return sealed === undefined ? undefined : sealer.open(sealed);
    },
  };
}

/** Returns the newest sealed token with which a user unlocked or requested a model. */
async function findKeptToken(db: Database, id: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom("model_unlocks")
    .select(["hub_token", "unlocked_at as given_at"])
    .where(sql<boolean>`lower(model_id) = ${id.toLowerCase()}`)
    .where("hub_token", "is not", null)
    .unionAll(
      db
        .selectFrom("model_requests")
        .select(["hub_token", "created_at as given_at"])
        .where("id_lower", "=", id.toLowerCase())
        .where("hub_token", "is not", null),
    )
    .orderBy("given_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.hub_token ?? undefined;
}
