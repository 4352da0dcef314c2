import { sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { DAY_MS, startOfHour } from "../../platform/core/time.ts";

const MAX_POPULAR_MODELS = 20;

/** Creates the repository that counts and groups the public catalogue and the calls to it. */
export function createOverviewsRepository(db: Database) {
  return bind(db, {
    families: listFamilies,
    classes: listClasses,
    popular: listPopular,
    releases: listReleases,
    readStats,
    countPublic,
  });
}

export type OverviewsRepository = ReturnType<typeof createOverviewsRepository>;

async function listFamilies(db: Database) {
  const [families, subTypes, counts] = await Promise.all([
    db.selectFrom("families").selectAll().execute(),
    db.selectFrom("sub_types").selectAll().orderBy(sql`released_date desc nulls last`).orderBy("id").execute(),
    db
      .selectFrom("models")
      .select(["family_id", "sub_type_id", (eb) => eb.fn.countAll<number>().as("count")])
      .where("organization_id", "is", null)
      .groupBy(["family_id", "sub_type_id"])
      .execute(),
  ]);
  const countOf = (family: string, subType?: string) =>
    counts
      .filter((row) => row.family_id === family && (subType === undefined || row.sub_type_id === subType))
      .reduce((sum, row) => sum + row.count, 0);
  return families
    .map((family) => ({
      ...family,
      model_count: countOf(family.id),
      sub_types: subTypes
        .filter((row) => row.family_id === family.id)
        .map(({ family_id: _, ...row }) => ({ ...row, model_count: countOf(family.id, row.id) })),
    }))
    .sort((a, b) => b.model_count - a.model_count || a.name.localeCompare(b.name));
}

function listClasses(db: Database) {
  return db
    .selectFrom("model_classes")
    .leftJoin("models", (join) =>
      join.onRef("models.model_class_id", "=", "model_classes.id").on("models.organization_id", "is", null),
    )
    .selectAll("model_classes")
    .select((eb) => eb.fn.count<number>("models.id").as("model_count"))
    .groupBy("model_classes.id")
    .orderBy("model_classes.id")
    .execute();
}

/** Returns the public models with the most calls in the last seven days. The hour in which they begin counts fully. */
function listPopular(db: Database, now: Date) {
  return db
    .selectFrom("usage_hours")
    .innerJoin("models", "models.id", "usage_hours.model_id")
    .select(["models.id", sql<number>`sum(usage_hours.requests)::bigint`.as("requests_7d")])
    .where("models.organization_id", "is", null)
    .where("hour", ">=", startOfHour(new Date(now.getTime() - 7 * DAY_MS)))
    .where("hour", "<=", now)
    .groupBy("models.id")
    .orderBy("requests_7d", "desc")
    .orderBy("models.id")
    .limit(MAX_POPULAR_MODELS)
    .execute();
}

function listReleases(db: Database, limit: number, offset: number) {
  return db
    .selectFrom("models")
    .select([
      "released_date as date",
      (eb) => eb.fn.countAll<number>().as("model_count"),
      sql<string[]>`array_agg(id order by id_lower)`.as("models"),
    ])
    .where("released_date", "is not", null)
    .where("organization_id", "is", null)
    .groupBy("released_date")
    .orderBy("released_date", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Counts the public catalogue and the calls of the last day. The hour in which that day begins counts fully. */
async function readStats(db: Database, now: Date) {
  const [models, requests] = await Promise.all([
    db
      .selectFrom("models")
      .select([
        (eb) => eb.fn.countAll<number>().as("model_count"),
        sql<number>`count(distinct family_id)`.as("family_count"),
        sql<number>`count(distinct released_date)`.as("release_count"),
      ])
      .where("organization_id", "is", null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom("usage_hours")
      .select([
        sql<number>`coalesce(sum(requests), 0)::bigint`.as("requests_24h"),
        sql<number>`coalesce(sum(prompt_tokens + completion_tokens), 0)::bigint`.as("tokens_24h"),
      ])
      .where("hour", ">=", startOfHour(new Date(now.getTime() - DAY_MS)))
      .where("hour", "<=", now)
      .executeTakeFirstOrThrow(),
  ]);
  return { ...models, ...requests };
}

/** Returns the number of these models that are public. */
async function countPublic(db: Database, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { count } = await db
    .selectFrom("models")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("id", "in", ids)
    .where("organization_id", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}
