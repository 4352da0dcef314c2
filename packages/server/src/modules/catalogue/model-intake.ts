import { type Insertable, type Selectable, sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Database } from "../../db/connect.ts";
import type { ModelClasses, Models } from "../../db/schema.generated.ts";
import { isModelId } from "../../http/canonical-url.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, invalidRequest } from "../../shared/errors.ts";
import { type CompatibilityResult, compatibility, type SupportedBase } from "../hub/compatibility.ts";
import { hubGated, hubNotFound } from "../hub/hub.errors.ts";
import type { Hub, HubModel } from "../hub/hub.ts";
import { type HubFacts, hubFacts } from "./hub-facts.ts";

type ClassRow = Selectable<ModelClasses>;
/** A repository of the hub, and whether and in which class the platform can serve it. */
export type Reading = { model: HubModel; result: CompatibilityResult };
type Placed = Pick<Insertable<Models>, "model_class_id" | "family_id" | "sub_type_id">;

type Deps = { db: Database; hub: Hub; clock: Clock };

/** Repositories are cached for ten minutes, because a user who is asked for a class repeats the request soon. */
const KEPT = { max: 50, ttl: 10 * 60_000 };
const DAY = 86_400_000;

/** Reads repositories of the hub for the catalogue, and finds the model class of each. */
export function createModelIntake({ db, hub, clock }: Deps) {
  const recent = new LRUCache<string, Reading>(KEPT);
  const running = new Map<string, Promise<Reading>>();

  async function ask(id: string, token: string | undefined): Promise<Reading> {
    const model = await hub.model(id, { token });
    // Compatibility cannot be checked without the files.
    if (model.gated && model.config === null) throw hubGated(model.id);
    return { model, result: compatibility(model, await basesFor(db, model)) };
  }

  /** Reads a repository. Without a token the result is public, so it is cached and concurrent requests share one. */
  async function read(id: string, token?: string): Promise<Reading> {
    if (!isModelId(id)) throw hubNotFound(`model ${id}`);
    if (token !== undefined) return ask(id, token);
    const key = id.toLowerCase();
    const known = recent.get(key);
    if (known) return known;
    const asked = running.get(key) ?? ask(id, undefined).finally(() => running.delete(key));
    running.set(key, asked);
    const reading = await asked;
    recent.set(key, reading);
    return reading;
  }

  /**
   * Returns the class, family and sub-type of a repository: the requested class if it fits, else the only one that
   * does. Throws `model_incompatible`, `model_class_mismatch` and `model_class_ambiguous`.
   */
  async function classFor({ model, result }: Reading, wanted: string | undefined): Promise<Placed> {
    refuseIncompatible(model.id, result);
    const { candidates } = result;
    if (wanted !== undefined && !candidates.includes(wanted)) {
      await findClass(db, wanted);
      throw new AppError(409, "model_class_mismatch", `${model.id} does not fit the class ${wanted}.`, {
        param: "model_class",
        details: { candidates },
      });
    }
    const id = wanted ?? result.model_class;
    if (id === null)
      throw new AppError(
        409,
        "model_class_ambiguous",
        `${model.id} fits more than one class: ${candidates.join(", ")}. Name one of them as model_class.`,
        { param: "model_class", details: { candidates } },
      );
    return placed(db, await findClass(db, id), model.baseModel);
  }

  const facts = ({ model, result }: Reading): HubFacts => hubFacts(model, result, clock.now());

  return {
    read,
    facts,
    classFor,
    /** Like `resolvePlacement`, for a class that an administrator chose: compatibility is not checked. */
    placeIn: async ({ model }: Reading, id: string) => placed(db, await findClass(db, id), model.baseModel),

    /** Like `inspect`, but a repository that the hub does not have is not requested again for a day. */
    async readOnceADay(id: string): Promise<Reading> {
      const key = id.toLowerCase();
      const since = new Date(clock.now().getTime() - DAY);
      const missed = await db
        .selectFrom("hub_misses")
        .select("id_lower")
        .where("id_lower", "=", key)
        .where("checked_at", ">", since)
        .executeTakeFirst();
      if (missed) throw hubNotFound(`model ${id}`);
      try {
        return await read(id);
      } catch (error) {
        if (error instanceof AppError && error.code === "hub.not_found") await remember(db, key, clock.now(), since);
        throw error;
      }
    },
  };
}

export type ModelIntake = ReturnType<typeof createModelIntake>;

/** Throws `model_incompatible` (409) with the failed checks unless the repository can be served. */
export function refuseIncompatible(id: string, { compatible, checks }: CompatibilityResult): void {
  if (compatible) return;
  const broken = checks.filter(({ ok }) => !ok);
  throw new AppError(
    409,
    "model_incompatible",
    `${id} cannot be served here. ${broken.map(({ label, detail }) => `${label}: ${detail}`).join(" ")}`,
    { details: { checks } },
  );
}

/** Returns the public models with the architecture of a repository. */
async function basesFor(db: Database, { config }: HubModel): Promise<SupportedBase[]> {
  const names = config?.architectures;
  const architecture = Array.isArray(names) && typeof names[0] === "string" ? names[0] : null;
  if (architecture === null) return [];
  const rows = await db
    .selectFrom("models")
    .innerJoin("model_classes", "model_classes.id", "models.model_class_id")
    .select(["models.id", "model_class_id", "architecture", "models.parameter_size"])
    .select(sql<number>`coalesce(models.context_length, model_classes.context_length)`.as("context_length"))
    .where("architecture", "=", architecture)
    .where("organization_id", "is", null)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    modelClass: row.model_class_id,
    architecture: row.architecture,
    parameterSize: row.parameter_size,
    contextLength: row.context_length,
  }));
}

/** Returns a model class; throws `invalid_request` if there is none with this id. */
export async function findClass(db: Database, id: string): Promise<ClassRow> {
  const row = await db.selectFrom("model_classes").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row)
    throw invalidRequest(`There is no class ${id}. GET /api/feather/classes lists them.`, { param: "model_class" });
  return row;
}

/** Takes family and sub-type from the base model if the catalogue has it, else the family from the class. */
async function placed(db: Database, { id, family_id }: ClassRow, baseModel: string | null): Promise<Placed> {
  const base = await db
    .selectFrom("models")
    .select(["family_id", "sub_type_id"])
    .where("id_lower", "=", baseModel?.toLowerCase() ?? "")
    .where("organization_id", "is", null)
    .executeTakeFirst();
  return { model_class_id: id, family_id: base?.family_id ?? family_id, sub_type_id: base?.sub_type_id ?? null };
}

async function remember(db: Database, key: string, now: Date, since: Date): Promise<void> {
  await db.deleteFrom("hub_misses").where("checked_at", "<=", since).execute();
  await db
    .insertInto("hub_misses")
    .values({ id_lower: key, checked_at: now })
    .onConflict((conflict) => conflict.column("id_lower").doUpdateSet({ checked_at: now }))
    .execute();
}
