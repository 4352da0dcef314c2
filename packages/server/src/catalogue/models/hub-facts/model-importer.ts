import { type Insertable, type Selectable, sql } from "kysely";
import { LRUCache } from "lru-cache";
import {
  type CompatibilityResult,
  checkCompatibility,
  type Hub,
  type HubModel,
  type SupportedBase,
} from "../../../hosting/hub/index.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { ModelClasses, Models } from "../../../platform/core/db/schema.generated.ts";
import { errors, hasCode } from "../../../platform/core/errors/index.ts";
import { isModelId } from "../../../platform/core/models/model-ids.ts";
import { DAY_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import { type HubFacts, toHubFacts } from "./hub-facts.ts";

type ClassRow = Selectable<ModelClasses>;
/** A repository of the hub, whether the platform can serve it, and in which class. */
export type InspectedModel = { model: HubModel; result: CompatibilityResult };
type ModelPlacement = Pick<Insertable<Models>, "model_class_id" | "family_id" | "sub_type_id">;

type Deps = { db: Database; hub: Hub; clock: Clock };

/**
 * Repositories are cached for ten minutes, because a user who must choose a class soon repeats the request. Each process
 * has its own cache.
 */
const CACHE_OPTIONS = { max: 50, ttl: 10 * MINUTE_MS };

type Context = ReturnType<typeof createContext>;

/** Creates the importer, which reads repositories of the hub for the catalogue and finds the model class of each. */
export function createModelImporter(deps: Deps) {
  const context = createContext(deps);
  return bind(context, {
    inspect,
    facts,
    resolvePlacement,
    placeInClass,
    inspectOncePerDay,
  });
}

export type ModelImporter = ReturnType<typeof createModelImporter>;

/** Returns the dependencies with what is derived from them. */
function createContext(deps: Deps) {
  const cache = new LRUCache<string, InspectedModel>(CACHE_OPTIONS);
  const inFlight = new Map<string, Promise<InspectedModel>>();
  return { ...deps, cache, inFlight };
}

async function fetchAndCheck(context: Context, id: string, access: Access): Promise<InspectedModel> {
  const { db, hub } = context;
  const model = await hub.model(id, access);
  // Compatibility cannot be checked without the files.
  if (model.gated && model.config === null) throw errors.hub.gated({ model: model.id });
  return { model, result: checkCompatibility(model, await findSupportedBases(db, model)) };
}

/** The token to read a repository with, and the user who requests it; without an account for administrators. */
type Access = { token?: string | undefined; account?: string };

/** Reads a repository. A result without a token is public, so it is cached, and concurrent requests share it. */
async function inspect(context: Context, id: string, access: Access): Promise<InspectedModel> {
  const { cache, inFlight } = context;
  if (!isModelId(id)) throw errors.hub.notFound({ subject: `model ${id}` });
  if (access.token !== undefined) return fetchAndCheck(context, id, access);
  const key = id.toLowerCase();
  const known = cache.get(key);
  if (known) return known;
  const pending = inFlight.get(key) ?? fetchAndCheck(context, id, access).finally(() => inFlight.delete(key));
  inFlight.set(key, pending);
  const inspected = await pending;
  cache.set(key, inspected);
  return inspected;
}

/**
 * Returns the class, family and sub-type of a repository: the requested class if it fits, otherwise the only one that fits.
 * Throws `models.incompatible`, `models.class_mismatch` and `models.class_ambiguous`.
 */
async function resolvePlacement(
  context: Context,
  { model, result }: InspectedModel,
  requestedClass: string | undefined,
): Promise<ModelPlacement> {
  const { db } = context;
  assertCompatible(model.id, result);
  const { candidates } = result;
  if (requestedClass !== undefined && !candidates.includes(requestedClass)) {
    await getModelClass(db, requestedClass);
    throw errors.models.classMismatch(
      { model: model.id, modelClass: requestedClass },
      {
        param: "model_class",
        details: { candidates },
      },
    );
  }
  const id = requestedClass ?? result.model_class;
  if (id === null)
    throw errors.models.classAmbiguous(
      { model: model.id, candidates: candidates.join(", ") },
      { param: "model_class", details: { candidates } },
    );
  return toPlacement(db, await getModelClass(db, id), model.baseModel);
}

function facts({ clock }: Context, { model, result }: InspectedModel): HubFacts {
  return toHubFacts(model, result, clock.now());
}

/** Returns class, family and sub-type for a class that an administrator has chosen. Compatibility is not checked. */
async function placeInClass({ db }: Context, { model }: InspectedModel, id: string) {
  return toPlacement(db, await getModelClass(db, id), model.baseModel);
}

/** Reads a repository. One that the hub does not have is not requested again for a day. */
async function inspectOncePerDay(context: Context, id: string, account: string): Promise<InspectedModel> {
  const { db, clock } = context;
  const key = id.toLowerCase();
  const since = new Date(clock.now().getTime() - DAY_MS);
  const recentMiss = await db
    .selectFrom("hub_misses")
    .select("id_lower")
    .where("id_lower", "=", key)
    .where("checked_at", ">", since)
    .executeTakeFirst();
  if (recentMiss) throw errors.hub.notFound({ subject: `model ${id}` });
  try {
    return await inspect(context, id, { account });
  } catch (error) {
    if (hasCode(error, "hub.not_found")) await recordMiss(db, key, clock.now(), since);
    throw error;
  }
}

/** Throws `models.incompatible` (409) with the failed checks if the repository cannot be served. */
export function assertCompatible(id: string, { compatible, checks }: CompatibilityResult): void {
  if (compatible) return;
  const failedChecks = checks.filter(({ ok }) => !ok);
  throw errors.models.incompatible(
    { model: id, problems: failedChecks.map(({ label, detail }) => `${label}: ${detail}`).join(" ") },
    { details: { checks } },
  );
}

/** Returns the public models with the architecture of a repository. */
async function findSupportedBases(db: Database, { config }: HubModel): Promise<SupportedBase[]> {
  const names = config?.architectures;
  const architecture = Array.isArray(names) && typeof names[0] === "string" ? names[0] : null;
  if (architecture === null) return [];
  const rows = await db
    .selectFrom("models")
    .innerJoin("model_classes", "model_classes.id", "models.model_class_id")
    .select(["models.id", "model_class_id", "architecture", "models.parameter_size"])
    .select(sql<number | null>`coalesce(models.context_length, model_classes.context_length)`.as("context_length"))
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

/** Returns a model class. Throws `invalid_request` if it does not exist. */
export async function getModelClass(db: Database, id: string): Promise<ClassRow> {
  const row = await db.selectFrom("model_classes").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row)
    throw errors.invalidRequest(`There is no class ${id}. GET /api/feather/classes lists them.`, {
      param: "model_class",
    });
  return row;
}

/** Returns the family and sub-type of the base model if the catalogue has it, otherwise the family of the class. */
async function toPlacement(
  db: Database,
  { id, family_id }: ClassRow,
  baseModel: string | null,
): Promise<ModelPlacement> {
  const base = await db
    .selectFrom("models")
    .select(["family_id", "sub_type_id"])
    .where("id_lower", "=", baseModel?.toLowerCase() ?? "")
    .where("organization_id", "is", null)
    .executeTakeFirst();
  return { model_class_id: id, family_id: base?.family_id ?? family_id, sub_type_id: base?.sub_type_id ?? null };
}

async function recordMiss(db: Database, key: string, now: Date, since: Date): Promise<void> {
  await db.deleteFrom("hub_misses").where("checked_at", "<=", since).execute();
  await db
    .insertInto("hub_misses")
    .values({ id_lower: key, checked_at: now })
    .onConflict((conflict) => conflict.column("id_lower").doUpdateSet({ checked_at: now }))
    .execute();
}
