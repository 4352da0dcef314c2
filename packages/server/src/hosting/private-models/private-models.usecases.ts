import type { Insertable } from "kysely";
import { admitPlan } from "../../gateway/index.ts";
import type { CurrentPlan, PlansRepository } from "../../money/plans/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Models } from "../../platform/core/db/schema.generated.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { modelIdOf, privateModelKey } from "../../platform/core/models/model-keys.ts";
import type { Hosting } from "../hosts/index.ts";
import {
  architectureOf,
  type CompatibilityResult,
  checkCompatibility,
  type Hub,
  type HubFile,
  type HubModel,
} from "../hub/index.ts";
import { filesOf, type ModelFiles } from "../runtimes/index.ts";
import {
  type ConversionPlan,
  chooseBest,
  findSmallest,
  listLoadableFiles,
  type PullRow,
  type SafetensorsFacts,
  toGigabytes,
} from "../store/index.ts";
import {
  hubTokenRequired,
  privateModelDeployed,
  privateModelIncompatible,
  tooManyPrivateModels,
} from "./private-models.errors.ts";
import type { PrivateModelRow, PrivateModelsRepository } from "./private-models.repository.ts";

type Deps = {
  db: Database;
  privateModelsRepository: PrivateModelsRepository;
  hub: Hub;
  hosting: Hosting;
  plansRepository: PlansRepository;
  /** Returns how many deployments run the model with this key. */
  countDeployments(modelKey: string, trx: Database): Promise<number>;
  /** Clears the cache of models, after one was added or deleted. */
  invalidateModels(): void;
  audit: Audit;
  clock: Clock;
};

/** Options for loading a private model. */
export type PrivateModelOptions = {
  revision?: string | undefined;
  hf_token?: string | null | undefined;
  name?: string | undefined;
};

const UNKNOWN_CLASS = "unknown";

/** Use cases of private models: downloaded from the hub, checked, and loaded for one organization only. */
export function createPrivateModels(deps: Deps) {
  return bind(deps, {
    list: listPrivateModels,
    find: findPrivateModel,
    compatibility: checkPrivateModel,
    create: createPrivateModel,
    unload: unloadPrivateModel,
    delete: deletePrivateModel,
  });
}

async function checkModel({ privateModelsRepository, hosting }: Deps, model: HubModel): Promise<CompatibilityResult> {
  const bases = await privateModelsRepository.findBases(architectureOf(model.config));
  const result = checkCompatibility(model, bases);
  const checks = [...result.checks, await checkRunnableFile(hosting, model)];
  return { ...result, checks, compatible: checks.every(({ ok }) => ok) };
}

async function findPrivateModel(deps: Deps, { organizationId }: SignedInActor, id: string): Promise<PrivateModelRow> {
  const { privateModelsRepository } = deps;
  const row = await privateModelsRepository.find(organizationId, id);
  if (!row) throw errors.privateModels.notFound();
  return row;
}

/**
 * Returns how many private models the plan allows; null for no limit. Throws `private_models.not_on_plan` if it allows
 * none.
 */
function getMaxPrivateModels({ plan, quantity }: CurrentPlan): number | null {
  if (plan.private_models === 0) throw errors.privateModels.notOnPlan({ plan: plan.name });
  return plan.private_models === null ? null : plan.private_models * quantity;
}

/**
 * Returns the plans that may call the model; null for all. The restrictions of the public model with this id apply to
 * a private copy too: throws if it is disabled or not on the plan.
 */
async function getAllowedPlans(deps: Deps, current: CurrentPlan, id: string, parameterSize: number | null) {
  const { privateModelsRepository } = deps;
  const publicModel = await privateModelsRepository.findPublicModel(id);
  if (publicModel && publicModel.disabled_at !== null) throw errors.modelDisabled({ model: id }, { param: "model" });
  const planIds = publicModel?.plan_ids ?? null;
  admitPlan(current, { id, planIds, parameterSize });
  return planIds;
}

/** Checks the token for a gated model and returns its user on the hub; null for a model without a gate. */
async function verifyHubAccess(
  deps: Deps,
  { id, gated }: HubModel,
  token: string | undefined,
): Promise<{ user: string | null } | null> {
  const { hub } = deps;
  if (!gated) return null;
  if (token === undefined) throw hubTokenRequired(id);
  return hub.verifyAccess(id, token);
}

/** Loads the model if its file at the requested commit is on this machine and can be loaded; returns whether it did. */
async function loadIfStored(deps: Deps, { organizationId }: SignedInActor, model: HubModel): Promise<boolean> {
  const { hosting } = deps;
  const key = privateModelKey(organizationId, model.id);
  const hosted = hosting.findForOrganization(key, organizationId);
  if (hosted?.revision !== model.revision || !hosting.canRun(hosted)) return false;
  await hosting.host.wake(key);
  return true;
}

function listPrivateModels({ privateModelsRepository }: Deps, { organizationId }: SignedInActor) {
  return privateModelsRepository.list(organizationId);
}

async function checkPrivateModel(deps: Deps, actor: SignedInActor, id: string, token: string | undefined) {
  const { hub } = deps;
  const { candidates: _, ...result } = await checkModel(deps, await hub.model(id, { token, account: actor.userId }));
  return result;
}

/** Starts downloading a model, or loads it if its file is here. */
async function createPrivateModel(
  deps: Deps,
  actor: SignedInActor,
  id: string,
  { revision, hf_token, name }: PrivateModelOptions,
): Promise<PrivateModelRow> {
  const { privateModelsRepository, hub, hosting, plansRepository, audit, clock } = deps;
  const { organizationId, userId } = actor;
  const current = await plansRepository.findCurrent(organizationId);
  const maxPrivateModels = getMaxPrivateModels(current);
  const token = hf_token ?? undefined;
  const model = await hub.model(id, { token, revision, account: userId });
  const known = await privateModelsRepository.find(organizationId, model.id);
  if (known && (await loadIfStored(deps, actor, model))) return findPrivateModel(deps, actor, model.id);
  const proof = await verifyHubAccess(deps, model, token);
  const result = await checkModel(deps, model);
  if (!result.compatible) throw privateModelIncompatible(model.id, result.checks);
  const planIds = await getAllowedPlans(deps, current, model.id, result.detected.parameter_size);
  const key = privateModelKey(organizationId, model.id);
  const pullInput = { model, token, organizationId, createdBy: userId };
  await hosting.modelStore.pull(pullInput, async (pull, trx) => {
    const others = await privateModelsRepository.countOthersLocked(organizationId, key, trx);
    if (maxPrivateModels !== null && others >= maxPrivateModels) throw tooManyPrivateModels(maxPrivateModels);
    const stored = hosting.findForOrganization(key, organizationId);
    if (stored && filesOfPull(pull) !== filesOf(stored)) await refuseDeployed(deps, key, trx);
    const now = clock.now();
    const entry = {
      ...toModelColumns(model, result, organizationId),
      plan_ids: planIds,
      created_at: now,
      updated_at: now,
    };
    await privateModelsRepository.insertModel(entry, trx);
    if (proof) {
      const unlock = { organization_id: organizationId, model_id: key, unlocked_by: userId, unlocked_at: now };
      await privateModelsRepository.insertUnlock({ ...unlock, method: "token", hub_user: proof.user }, trx);
    }
    const row = {
      organization_id: organizationId,
      model_id: key,
      name: name?.trim() ?? known?.name ?? model.id.slice(model.id.indexOf("/") + 1),
      revision: revision ?? known?.revision ?? "main",
      pull_id: pull.id,
      created_by: userId,
      created_at: now,
      updated_at: now,
    };
    await privateModelsRepository.save(row, trx);
    const details = { revision: model.revision, file: pull.file };
    await audit.record({ actor, action: "private_models.create", target: model.id, details }, trx);
  });
  deps.invalidateModels();
  return findPrivateModel(deps, actor, model.id);
}

/**
 * Returns whether a download is one of safetensors files, for vLLM. Each kind of machine for deployments runs either these
 * or GGUF files.
 */
const filesOfPull = ({ file }: Pick<PullRow, "file">): ModelFiles =>
  file.endsWith(".safetensors") ? "safetensors" : "gguf";

async function refuseDeployed({ countDeployments }: Deps, key: string, trx: Database): Promise<void> {
  const count = await countDeployments(key, trx);
  if (count > 0) throw privateModelDeployed(count);
}

/** Unloads the model and cancels its download. Idempotent. */
async function unloadPrivateModel(deps: Deps, actor: SignedInActor, requestedId: string): Promise<PrivateModelRow> {
  const { db, privateModelsRepository, hosting, audit, clock } = deps;
  const { model_id: key, organization_id: organizationId } = await findPrivateModel(deps, actor, requestedId);
  const id = modelIdOf(key);
  const canceledPulls = await db.transaction().execute(async (trx) => {
    const pulls = await hosting.files.cancelForModel(id, organizationId, clock.now(), trx);
    if (pulls.length === 0 && !hosting.host.isLoaded(key)) return [];
    await privateModelsRepository.touch(key, clock.now(), trx);
    await audit.record({ actor, action: "private_models.unload", target: id }, trx);
    return pulls;
  });
  for (const pull of canceledPulls) hosting.pullRunner.abort(pull.id);
  void hosting.host.unload(key);
  return findPrivateModel(deps, actor, id);
}

async function deletePrivateModel(deps: Deps, actor: SignedInActor, requestedId: string): Promise<void> {
  const { db, privateModelsRepository, hosting, audit, clock } = deps;
  const { model_id: key, organization_id: organizationId } = await findPrivateModel(deps, actor, requestedId);
  const id = modelIdOf(key);
  const { canceledPulls, deleteFiles } = await db.transaction().execute(async (trx) => {
    if (!(await privateModelsRepository.lock(organizationId, key, trx))) throw errors.privateModels.notFound();
    await refuseDeployed(deps, key, trx);
    const pulls = await hosting.files.cancelForModel(id, organizationId, clock.now(), trx);
    const deleteStored = await hosting.deletePrivateFiles({ id, organizationId }, trx);
    await privateModelsRepository.delete(organizationId, key, trx);
    await audit.record({ actor, action: "private_models.delete", target: id }, trx);
    return { canceledPulls: pulls, deleteFiles: deleteStored };
  });
  for (const pull of canceledPulls) hosting.pullRunner.abort(pull.id);
  deps.invalidateModels();
  await deleteFiles();
}

/**
 * Checks whether a repository has a file that this server can run: a GGUF file, or weights that can be run or
 * converted. Finds what would make the download fail before anybody requests it.
 */
async function checkRunnableFile(
  { planSafetensors, modelStore: { maxFileBytes, findArchitectureProblem, planConversion } }: Hosting,
  model: HubModel,
): Promise<CompatibilityResult["checks"][number]> {
  const safetensors = await planSafetensors(model);
  if (safetensors && "facts" in safetensors) return { ...RUNNABLE_FILE, ...describeSafetensors(safetensors) };
  const conversion = await planConversion(model);
  if (conversion && "problem" in conversion)
    return { ...RUNNABLE_FILE, ...explainSafetensors(safetensors?.problem ?? "", conversion.problem) };
  if (conversion) return { ...RUNNABLE_FILE, ...describeConversion(conversion) };
  const loadable = listLoadableFiles(model.files);
  const file = chooseBest(loadable, maxFileBytes);
  const problem = file
    ? (await findArchitectureProblem(model))?.message
    : explainNoFile(findSmallest(loadable), maxFileBytes);
  const detail = problem ?? `${file?.path} can be loaded.`;
  return { ...RUNNABLE_FILE, ok: problem === undefined, detail };
}

const RUNNABLE_FILE = { id: "runnable_file", label: "Weights that this server can load" } as const;

function describeSafetensors({ facts, program }: { facts: SafetensorsFacts; program: string }) {
  return {
    ok: true,
    detail: `The safetensors files (${toGigabytes(facts.downloadSize)}) are downloaded, and ${program} runs them.`,
  };
}

function describeConversion({ file, size, facts: { downloadSize } }: ConversionPlan) {
  const [downloaded, made] = [toGigabytes(downloadSize), toGigabytes(size)];
  const detail = `The safetensors files (${downloaded}) are downloaded and converted to ${file}, of about ${made}.`;
  return { ok: true, detail };
}

function explainSafetensors(programProblem: string, conversionProblem: string) {
  return {
    ok: false,
    detail: `There is no GGUF file. The safetensors files do not run here: ${programProblem} They are not converted here either: ${conversionProblem} Convert them with llama.cpp's convert_hf_to_gguf.py, and add the file to the repository.`,
  };
}

function explainNoFile(smallest: HubFile | null, maxBytes: number): string {
  if (smallest)
    return `${smallest.path} has ${toGigabytes(smallest.size)}, and a file may have ${toGigabytes(maxBytes)} here.`;
  return "There is neither a GGUF file, which is what this server runs private models from, nor one with safetensors weights.";
}

export type PrivateModels = ReturnType<typeof createPrivateModels>;

/** Returns the model's columns in the catalogue. */
function toModelColumns(
  model: HubModel,
  { model_class, candidates, detected }: CompatibilityResult,
  organizationId: string,
): Insertable<Models> & { organization_id: string } {
  const { id, license, readme, baseModel } = model;
  const slash = id.indexOf("/");
  const context = model.config?.max_position_embeddings;
  const key = privateModelKey(organizationId, id);
  return {
    id: key,
    id_lower: key.toLowerCase(),
    owned_by: id.slice(0, slash),
    name: id.slice(slash + 1),
    model_class_id: model_class ?? candidates[0] ?? UNKNOWN_CLASS,
    parameter_size: detected.parameter_size,
    context_length: typeof context === "number" && Number.isInteger(context) && context > 0 ? context : null,
    description: "A private model.",
    readme,
    license,
    tags: [...model.tags],
    languages: [...model.languages],
    architecture: detected.architecture,
    base_model: baseModel,
    is_gated: model.gated,
    is_private: true,
    organization_id: organizationId,
    source: "private",
  };
}
