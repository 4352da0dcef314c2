import { sql } from "kysely";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import { checkCompatibility, type HubModel } from "../hub/index.ts";
import { toHubFacts } from "./hub-facts.ts";

type Deps = { db: Database; clock: Clock };

/**
 * Stores what only the hub knows of a model of the catalogue: its monthly downloads and its likes, which are null if the hub does not
 * count them or no longer has the model, when it was published there, and whether it is gated. A readme is stored where
 * the catalogue has none. A private repository tells nothing.
 */
export async function saveHubFacts({ db, clock }: Deps, modelId: string, repository: HubModel | null): Promise<void> {
  if (repository?.private) return;
  const now = clock.now();
  const update = db.updateTable("models").where("id", "=", modelId).where("organization_id", "is", null);
  if (repository === null)
    return void (await update.set({ downloads: null, likes: null, hub_checked_at: now }).execute());
  const { downloads, likes, hf_created_at, hub_checked_at, is_gated, readme } = toHubFacts(
    repository,
    checkCompatibility(repository, []),
    now,
  );
  await update
    .set({ downloads, likes, hf_created_at, hub_checked_at, is_gated, readme: sql`coalesce(readme, ${readme})` })
    .execute();
}
