import { sql } from "kysely";
import { checkCompatibility, type Hub, type HubModel, README_NOT_SHOWN } from "../../../hosting/hub/index.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { toHubFacts } from "./hub-facts.ts";

type Deps = { db: Database; hub: Pick<Hub, "isComplete">; clock: Clock };

/**
 * Stores the fields of a catalogue model that only the hub has: its monthly downloads and likes, its time of publication,
 * and whether it is gated. Downloads and likes are null if the hub does not count them or no longer has the model. A readme
 * is stored if the catalogue has none. Private repositories are ignored. If the hub is incomplete, fields that it lacks
 * keep their values.
 */
export async function saveHubFacts(
  { db, hub, clock }: Deps,
  modelId: string,
  repository: HubModel | null,
): Promise<void> {
  if (repository?.private) return;
  const now = clock.now();
  const update = db.updateTable("models").where("id", "=", modelId).where("organization_id", "is", null);
  if (repository === null) {
    const counts = hub.isComplete ? { downloads: null, likes: null } : {};
    return void (await update.set({ ...counts, hub_checked_at: now }).execute());
  }
  const { downloads, likes, hf_created_at, hub_checked_at, is_gated, readme } = toHubFacts(
    repository,
    checkCompatibility(repository, []),
    now,
  );
  const counts = hub.isComplete
    ? { downloads, likes, hf_created_at }
    : {
        downloads: sql<number | null>`coalesce(${downloads}::integer, downloads)`,
        likes: sql<number | null>`coalesce(${likes}::integer, likes)`,
        hf_created_at: sql<Date | null>`coalesce(${hf_created_at}::timestamptz, hf_created_at)`,
      };
  const known = sql`case when starts_with(readme, ${README_NOT_SHOWN}) then null else readme end`;
  await update.set({ ...counts, hub_checked_at, is_gated, readme: sql`coalesce(${known}, ${readme})` }).execute();
}
