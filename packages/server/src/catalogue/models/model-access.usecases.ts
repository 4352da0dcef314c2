import { admitPlan } from "../../gateway/index.ts";
import type { Hub } from "../../hosting/hub/index.ts";
import type { AutoPull } from "../../hosting/store/index.ts";
import type { CurrentPlan } from "../../money/plans/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import { type Actor, impersonatorOf, type SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { AppError, errors, hasCode } from "../../platform/core/errors/index.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { type CallableModels, modelNotFoundWithSuggestions } from "./callable-models.ts";
import type { CatalogueRepository, ModelRow } from "./catalogue.repository.ts";
import { modelNotFound } from "./catalogue.usecases.ts";
import { assertCompatible, type ModelImporter } from "./hub-facts/model-importer.ts";
import type { LiveModels } from "./live-models.ts";
import type { ModelsRepository } from "./models.repository.ts";
import type { Viewer } from "./viewer.ts";

type Deps = {
  db: Database;
  catalogueRepository: CatalogueRepository;
  modelsRepository: ModelsRepository;
  modelImporter: ModelImporter;
  hub: Hub;
  liveModels: Pick<LiveModels, "availability">;
  callableModels: Pick<CallableModels, "invalidate" | "findByKey">;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  autoPull: Pick<AutoPull, "request">;
  limits: RateLimiter;
  /** Records that the page of a model was opened. */
  noteLookedAt(key: string): void;
  audit: Audit;
  /** Encrypts hub tokens for storage; null if the operator does not store them. */
  sealer: Sealer | null;
  clock: Clock;
};
type DetailOptions = { scrape: boolean; modelClass: string | undefined };

/** Creates the use cases of users: open a model's page, request a model, unlock a gated one. */
export function createModelAccess(deps: Deps) {
  return bind(deps, {
    getDetail,
    requestModel,
    unlockModel,
  });
}

export type ModelAccess = ReturnType<typeof createModelAccess>;

async function getDetail(deps: Deps, actor: Actor, viewer: Viewer, id: string, { scrape, modelClass }: DetailOptions) {
  const { db, catalogueRepository, limits } = deps;
  const row = await catalogueRepository.find(id, viewer);
  if (row) {
    if (modelClass !== undefined && row.model_class_id !== modelClass) throw modelNotFound(id);
    deps.noteLookedAt(row.key);
    return row;
  }
  if (!scrape || actor.kind === "anonymous") throw await modelNotFoundWithSuggestions(db, id);
  await limits.consume("hub", actor.ip ?? "", actor.userId);
  return importFromHub(deps, actor, viewer, id, modelClass);
}

async function importFromHub(
  deps: Deps,
  actor: SignedInActor,
  viewer: Viewer,
  id: string,
  modelClass: string | undefined,
) {
  const { db, catalogueRepository, modelsRepository, modelImporter, callableModels, audit, clock } = deps;
  const inspected = await modelImporter.inspectOncePerDay(id, actor.userId).catch(async (error: unknown) => {
    throw hasCode(error, "hub.not_found") ? await modelNotFoundWithSuggestions(db, id) : error;
  });
  // A private repository of the hub must not appear in the public catalogue.
  if (inspected.model.private) throw await modelNotFoundWithSuggestions(db, id);
  const placement = await modelImporter.resolvePlacement(inspected, modelClass);
  const row = { ...modelImporter.facts(inspected), ...placement, source: "hub" };
  await db.transaction().execute(async (trx) => {
    const added = await modelsRepository.insert(row, clock.now(), trx);
    if (added) await audit.record({ actor, action: "models.scrape", target: row.id }, trx);
  });
  callableModels.invalidate();
  const known = await catalogueRepository.find(row.id, viewer);
  if (!known) throw await modelNotFoundWithSuggestions(db, id); // deleted in the meantime
  return known;
}

async function requestModel(
  deps: Deps,
  actor: SignedInActor,
  viewer: Viewer,
  id: string,
  token: string | null,
): Promise<string> {
  const { db, catalogueRepository, modelsRepository, liveModels, audit, sealer, clock } = deps;
  const known = await catalogueRepository.find(id, viewer);
  const existing = await modelsRepository.findRequest(actor.organizationId, known?.id ?? id);
  const live = known ? liveModels.availability(known.key) : { tier: "offline", isDownloading: false };
  if (known && live.tier !== "offline" && !live.isDownloading) throw errors.models.alreadyRuns({ model: known.id });
  if (known?.is_private) throw errors.models.private(`${known.id} is a private model of yours.`);
  if (existing) {
    if (known) await startDownload(deps, actor, known.key);
    return known?.id ?? existing.model_id;
  }
  const found = known ? { id: known.id, revision: null } : await readRequestedModel(deps, actor, id, token);
  await db.transaction().execute(async (trx) => {
    const row = {
      organization_id: actor.organizationId,
      id_lower: found.id.toLowerCase(),
      model_id: found.id,
      requested_by: actor.userId,
      hub_revision: found.revision,
      hub_token: token === null ? null : (sealer?.seal(token) ?? null),
      created_at: clock.now(),
    };
    const added = await modelsRepository.insertRequest(row, trx);
    if (added) await audit.record({ actor, action: "models.request", target: found.id }, trx);
  });
  if (known) await startDownload(deps, actor, known.key);
  return found.id;
}

/**
 * Starts the download of a requested model if its plan, its gate and the operator allow it. Otherwise the request stays
 * open.
 */
async function startDownload(
  { callableModels, currentPlan, autoPull }: Deps,
  actor: SignedInActor,
  key: string,
): Promise<void> {
  try {
    const model = await callableModels.findByKey(key, actor.organizationId);
    admitPlan(await currentPlan(actor.organizationId), model);
    await autoPull.request({ actor, model });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function readRequestedModel(deps: Deps, actor: SignedInActor, id: string, token: string | null) {
  const { db, modelImporter, limits } = deps;
  await limits.consume("hub", actor.ip ?? "", actor.userId);
  const access = { token: token ?? undefined, account: actor.userId };
  const { model, result } = await modelImporter.inspect(id, access).catch(async (error: unknown) => {
    throw hasCode(error, "hub.not_found") ? await modelNotFoundWithSuggestions(db, id) : error;
  });
  assertCompatible(model.id, result);
  return { id: model.id, revision: model.revision };
}

async function unlockModel(deps: Deps, actor: SignedInActor, viewer: Viewer, id: string, token: string | undefined) {
  const { db, catalogueRepository, modelsRepository, callableModels, audit, sealer, clock } = deps;
  const model = await catalogueRepository.find(id, viewer);
  if (!model) throw await modelNotFoundWithSuggestions(db, id);
  const { organizationId } = actor;
  const existing = await modelsRepository.findUnlock(organizationId, model.key);
  if (existing) return existing;
  if (model.is_gated !== true) throw errors.models.notGated({ model: model.id });
  const { hubUser, method } = await verifyHubAccess(deps, actor, model, token);
  await db.transaction().execute(async (trx) => {
    const row = {
      organization_id: organizationId,
      model_id: model.key,
      method,
      hub_user: hubUser,
      hub_token: token === undefined ? null : (sealer?.seal(token) ?? null),
      unlocked_by: actor.userId,
      unlocked_at: clock.now(),
    };
    const added = await modelsRepository.insertUnlock(row, trx);
    if (added) await audit.record({ actor, action: "models.unlock", target: model.id, details: { method } }, trx);
  });
  callableModels.invalidate();
  const unlocked = await modelsRepository.findUnlock(organizationId, model.key);
  if (!unlocked) throw modelNotFound(id); // deleted in the meantime
  return unlocked;
}

/**
 * Throws unless the user's token can read the model. Administrators need no token. Returns the method of the check, and the
 * user of the hub that the token belongs to.
 */
async function verifyHubAccess(deps: Deps, actor: SignedInActor, model: ModelRow, token: string | undefined) {
  const { hub, limits } = deps;
  if (token !== undefined) {
    await limits.consume("hub", actor.ip ?? "", actor.userId);
    return { method: "token", hubUser: (await hub.verifyAccess(model.id, token)).user };
  }
  if (!actor.isAdmin || impersonatorOf(actor) !== null)
    throw errors.invalidRequest("access_token is required: a token of the hub that may read this model.", {
      param: "access_token",
    });
  return { method: "waived", hubUser: null };
}
