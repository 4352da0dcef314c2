import { sql } from "kysely";
import type { CallableModel } from "../../gateway/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { isModelId } from "../../platform/core/models/model-ids.ts";
import { isPrivateModelKey, modelIdOf, privateModelKey } from "../../platform/core/models/model-keys.ts";
import { type CacheOptions, createCache } from "../../platform/core/replicas/cache.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import { HUB_SOURCE } from "./listing/catalogue.query.ts";
import { BY_DOWNLOADS, NEWEST_FIRST } from "./listing/sort-orders.ts";

const MODEL_CACHE: CacheOptions = { max: 50_000, ttlMs: 10_000, tables: ["models", "model_classes"] };
const UNLOCK_CACHE: CacheOptions = { max: 50_000, ttlMs: 10_000, tables: ["model_unlocks"] };
const MAX_SUGGESTIONS = 3;
const MAX_COMPARED_LENGTH = 200;
const MAX_COMPARED_MODELS = 1_000;

type Context = ReturnType<typeof createContext>;

/**
 * Creates the lookup of models for calls, by id in any letter case, with a cache of ten seconds. An organization's own
 * model takes precedence over a public one with the same id. Gates apply to models that the platform downloads from the
 * hub, not to models on the operator's backends: for those, the operator is responsible for the right to run them.
 */
export function createCallableModels(db: Database, replicas: Replicas, isOperatorModel: (id: string) => boolean) {
  const context = createContext(db, replicas, isOperatorModel);
  return bind(context, {
    find: findModel,
    exists: modelExists,
    findByKey,
    invalidate: invalidateModels,
  });
}

export type CallableModels = ReturnType<typeof createCallableModels>;

function createContext(db: Database, replicas: Replicas, isOperatorModel: (id: string) => boolean) {
  const modelCache = createCache<CallableModel | "unknown">(replicas, MODEL_CACHE);
  const unlockCache = createCache<true | undefined>(replicas, UNLOCK_CACHE);
  return { db, isOperatorModel, modelCache, unlockCache };
}

async function loadModel(context: Context, keyLower: string): Promise<CallableModel | "unknown"> {
  const { db } = context;
  const row = await db
    .selectFrom("models")
    .innerJoin("model_classes", "model_classes.id", "models.model_class_id")
    .select([
      "models.id",
      "model_class_id",
      "concurrency_cost",
      "models.parameter_size",
      "models.context_length",
      "model_classes.context_length as class_context_length",
      "models.max_completion_tokens",
      "model_classes.max_completion_tokens as class_max_completion_tokens",
      "models.input_modalities",
      "is_gated",
      "plan_ids",
      "disabled_at",
      "organization_id",
    ])
    .where("id_lower", "=", keyLower)
    .executeTakeFirst();
  if (!row) return "unknown";
  return {
    id: modelIdOf(row.id),
    key: row.id,
    classId: row.model_class_id,
    cost: row.concurrency_cost,
    parameterSize: row.parameter_size,
    contextLength: row.context_length ?? row.class_context_length,
    maxCompletionTokens: row.max_completion_tokens ?? row.class_max_completion_tokens,
    inputModalities: row.input_modalities,
    isGated: row.is_gated ?? false,
    planIds: row.plan_ids,
    isDisabled: row.disabled_at !== null,
    organizationId: row.organization_id,
  };
}

/**
 * Returns whether the organization has unlocked the model. A positive result is cached: an unlock ends only when the model
 * is deleted.
 */
async function isUnlocked(context: Context, model: CallableModel, organizationId: string): Promise<boolean> {
  const { db, unlockCache } = context;
  const key = `${organizationId} ${model.key}`;
  const unlock = await unlockCache.read(key, async () => {
    const row = await db
      .selectFrom("model_unlocks")
      .select("model_id")
      .where("organization_id", "=", organizationId)
      .where("model_id", "=", model.key)
      .executeTakeFirst();
    return row && true;
  });
  return unlock !== undefined;
}

/** Returns the model from the cache, or a promise of it from the database. */
function getByKey(context: Context, key: string): CallableModel | "unknown" | Promise<CallableModel | "unknown"> {
  const keyLower = key.toLowerCase();
  return context.modelCache.read(keyLower, () => loadModel(context, keyLower));
}

async function assertCallable(context: Context, model: CallableModel, organizationId: string): Promise<CallableModel> {
  const { isOperatorModel } = context;
  if (model.isDisabled) throw errors.modelDisabled({ model: model.id }, { param: "model" });
  const isGateClosed = model.isGated && !isOperatorModel(model.key);
  if (isGateClosed && !(await isUnlocked(context, model, organizationId))) throw modelGated(model.id);
  return model;
}

/**
 * Returns the model if the organization may call it. Limits of its plan are checked elsewhere. Throws `model_not_found`
 * with similar ids, `model_disabled` and `model_gated_needs_oauth`.
 */
async function findModel(context: Context, id: string, organizationId: string): Promise<CallableModel> {
  const model = await getById(context, id, organizationId);
  if (model === "unknown") throw await modelNotFoundWithSuggestions(context.db, id);
  return assertCallable(context, model, organizationId);
}

async function modelExists(context: Context, id: string, organizationId: string): Promise<boolean> {
  return isModelId(id) && (await getById(context, id, organizationId)) !== "unknown";
}

/** Returns the model that an organization means by an id: its own, otherwise the public one. */
async function getById(context: Context, id: string, organizationId: string): Promise<CallableModel | "unknown"> {
  if (isPrivateModelKey(id)) return "unknown";
  const ownModel = await getByKey(context, privateModelKey(organizationId, id));
  return ownModel === "unknown" ? getByKey(context, id) : ownModel;
}

/** Returns a model by its key, with the checks of `find`. It must be public or belong to the organization. */
async function findByKey(context: Context, key: string, organizationId: string): Promise<CallableModel> {
  const { db } = context;
  const model = await getByKey(context, key);
  const isForeign = model !== "unknown" && model.organizationId !== null && model.organizationId !== organizationId;
  if (model === "unknown" || isForeign) throw await modelNotFoundWithSuggestions(db, modelIdOf(key));
  return assertCallable(context, model, organizationId);
}

function invalidateModels({ modelCache, unlockCache }: Context) {
  modelCache.clear();
  unlockCache.clear();
}

function modelGated(id: string): AppError {
  const unlockUrl = `/api/feather/models/${id}/unlock`;
  return errors.modelGatedNeedsOauth(
    `${id} is gated by its publisher. Accept the terms on the hub, then unlock it with a token: POST ${unlockUrl}`,
    { param: "model", details: { unlock_url: unlockUrl } },
  );
}

/** Returns the error `model_not_found` (404) with up to three similar ids of public models. */
export async function modelNotFoundWithSuggestions(db: Database, id: string): Promise<AppError> {
  const suggestions = await listSimilarIds(db, id.toLowerCase().slice(0, MAX_COMPARED_LENGTH));
  const hint = suggestions.length > 0 ? ` Did you mean ${suggestions.join(", ")}?` : "";
  return errors.modelNotFound(`There is no model called ${id}.${hint}`, {
    param: "model",
    details: { suggestions },
  });
}

/**
 * Returns the most similar ids among curated models, the newest, the most downloaded, and those with the same name and
 * another owner. Comparing all ids of a large catalogue would take seconds.
 */
async function listSimilarIds(db: Database, text: string): Promise<string[]> {
  const models = db.selectFrom("models").select(["id", "id_lower"]).where("organization_id", "is", null);
  const chosen = models.where("source", "<>", HUB_SOURCE).limit(MAX_COMPARED_MODELS);
  const newest = models.orderBy(NEWEST_FIRST).limit(MAX_COMPARED_MODELS);
  const mostDownloaded = models.orderBy(BY_DOWNLOADS).limit(MAX_COMPARED_MODELS);
  const sameName = models.where(sql`lower(name)`, "=", text.slice(text.indexOf("/") + 1)).limit(MAX_COMPARED_MODELS);
  const { rows } = await sql<{ id: string }>`
    select id from ((${chosen}) union (${newest}) union (${mostDownloaded}) union (${sameName})) as compared
    where id_lower % ${text} order by similarity(id_lower, ${text}) desc, id_lower limit ${MAX_SUGGESTIONS}`.execute(
    db,
  );
  return rows.map((row) => row.id);
}
