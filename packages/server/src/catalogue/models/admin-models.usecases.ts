import type { components } from "@feather/openapi/schema";
import type { ReadCard } from "../../hosting/hub/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { AppError, errors } from "../../platform/core/errors/index.ts";
import { isModelId } from "../../platform/core/models/model-ids.ts";
import type { CallableModels } from "./callable-models.ts";
import { getModelClass, type InspectedModel, type ModelImporter } from "./hub-facts/model-importer.ts";
import type { LiveModels } from "./live-models.ts";
import type { ModelFields, ModelsRepository, NewModel, StoredModel } from "./models.repository.ts";
import { ensureSizeClasses, SIZE_CLASSES, sizeClassOf } from "./size-classes.ts";

type CreateInput = components["schemas"]["AdminModelCreate"];
type UpdateInput = components["schemas"]["AdminModelUpdate"];
type Result = components["schemas"]["BulkResult"];

type Deps = {
  db: Database;
  modelsRepository: ModelsRepository;
  modelImporter: ModelImporter;
  readCard: ReadCard;
  liveModels: Pick<LiveModels, "availability">;
  callableModels: Pick<CallableModels, "invalidate">;
  audit: Audit;
  clock: Clock;
};

/** Columns that an administrator may set. */
type AdminColumns = Partial<Omit<NewModel, "id" | "id_lower" | "owned_by" | "name" | "source">>;

/** The number of repositories that an import reads at the same time. */
const MAX_CONCURRENT_IMPORTS = 4;
/** Columns that a new import from the hub overwrites even for a curated model. */
const HUB_COLUMNS = ["downloads", "likes", "hf_created_at", "hub_revision", "hub_checked_at", "is_gated"] as const;

/**
 * Fields that the shipped catalogue never sets, so that changing them does not make the operator the model's source.
 */
const OPERATOR_ONLY_FIELDS: readonly string[] = [
  "disabled",
  "max_completion_tokens",
  "plan_ids",
] satisfies (keyof UpdateInput)[];

/** Sources of models that become the operator's when an administrator changes them. */
const REPLACEABLE_SOURCES: readonly string[] = ["catalogue", "backend"];

/** Creates the use cases of administrators, who create, change, delete and import models. */
export function createAdminModels(deps: Deps) {
  return bind(deps, {
    create: createModel,
    update: updateModel,
    delete: deleteModel,
    import: importModel,
  });
}

export type AdminModels = ReturnType<typeof createAdminModels>;

/** Returns the columns to write. Throws `invalid_request` for an unknown family, sub-type, class or plan. */
async function toColumns(deps: Deps, input: UpdateInput, family: string | null): Promise<AdminColumns> {
  const { db, modelsRepository, readCard, clock } = deps;
  const { model_class, disabled, readme, ...fields } = input;
  if (model_class !== undefined) await getModelClass(db, model_class);
  if (fields.family && !(await modelsRepository.findFamily(fields.family)))
    throw errors.invalidRequest(`There is no family ${fields.family}.`, { param: "family" });
  const effectiveFamily = fields.family === undefined ? family : fields.family;
  if (fields.sub_type && !(effectiveFamily && (await modelsRepository.findSubType(effectiveFamily, fields.sub_type))))
    throw errors.invalidRequest(`The family has no sub-type ${fields.sub_type}.`, { param: "sub_type" });
  const [unknownPlan] = await modelsRepository.findUnknownPlans(fields.plan_ids ?? []);
  if (unknownPlan !== undefined) throw errors.invalidRequest(`There is no plan ${unknownPlan}.`, { param: "plan_ids" });
  const { family: family_id, sub_type: sub_type_id, ...columns } = fields;
  return {
    ...columns,
    ...(readme !== undefined && { readme: readme && (await sanitizeReadme(readCard, readme)) }),
    ...(family_id !== undefined && { family_id }),
    ...(sub_type_id !== undefined && { sub_type_id }),
    ...(model_class !== undefined && { model_class_id: model_class }),
    ...(disabled !== undefined && { disabled_at: disabled ? clock.now() : null }),
  };
}

/** Returns a readme as sanitized Markdown. Throws `invalid_request` if it is too complex. */
async function sanitizeReadme(readCard: ReadCard, text: string): Promise<string> {
  const { readme } = await readCard({ text, hasFrontMatter: false });
  if (readme === null)
    throw errors.invalidRequest("The readme is too long or too complex to be shown. Make it simpler.", {
      param: "readme",
    });
  return readme;
}

/** Returns a new model's row: from the input alone if it names a class, otherwise from the hub's data and the input. */
async function newModel(deps: Deps, { id, access_token, ...input }: CreateInput): Promise<NewModel> {
  const { db, modelImporter } = deps;
  if (input.model_class !== undefined) {
    const modelClass = await getModelClass(db, input.model_class);
    const family = input.family === undefined ? modelClass.family_id : input.family;
    const fields = await toColumns(deps, input, family);
    return {
      ...parseModelId(id),
      family_id: family,
      parameter_size: modelClass.parameter_size,
      input_modalities: modelClass.input_modalities,
      ...fields,
      model_class_id: modelClass.id,
      source: "operator",
    };
  }
  const inspected = await modelImporter.inspect(id, { token: access_token });
  const placement = await modelImporter.resolvePlacement(inspected, undefined);
  const fields = await toColumns(deps, input, placement.family_id ?? null);
  return {
    ...modelImporter.facts(inspected),
    ...placement,
    ...fields,
    model_class_id: placement.model_class_id,
    source: "hub",
  };
}

async function importOne(
  deps: Deps,
  id: string,
  token: string | undefined,
  requestedClass: string | undefined,
): Promise<string> {
  const { db, modelsRepository, modelImporter, clock } = deps;
  const inspected = await modelImporter.inspect(id, { token });
  const existing = await modelsRepository.find(inspected.model.id);
  if (existing) return refreshFromHub(deps, existing, inspected, requestedClass);
  const placement =
    requestedClass === undefined
      ? await modelImporter.resolvePlacement(inspected, undefined)
      : await modelImporter.placeInClass(inspected, requestedClass);
  const row = { ...modelImporter.facts(inspected), ...placement, source: "hub" };
  await db.transaction().execute((trx) => modelsRepository.insert(row, clock.now(), trx));
  return row.id;
}

/** Updates a known model from the hub and returns its id. Columns that were curated by hand are kept. */
async function refreshFromHub(
  deps: Deps,
  existing: StoredModel,
  inspected: InspectedModel,
  requestedClass: string | undefined,
): Promise<string> {
  const { db, modelsRepository, modelImporter, clock } = deps;
  const { id: _, id_lower: __, owned_by: ___, name: ____, ...facts } = modelImporter.facts(inspected);
  const curated = existing.source === "catalogue" || existing.source === "operator";
  const hubColumns = Object.fromEntries(HUB_COLUMNS.map((name) => [name, facts[name]]));
  const fields: ModelFields = curated
    ? { ...hubColumns, ...(existing.readme === null && { readme: facts.readme }) }
    : facts;
  const placement =
    requestedClass !== undefined
      ? await modelImporter.placeInClass(inspected, requestedClass)
      : existing.source === "backend"
        ? await modelImporter.resolvePlacement(inspected, undefined)
        : {};
  const source = existing.source === "backend" ? { source: "hub" } : {};
  await modelsRepository.update(existing.id, { ...fields, ...placement, ...source }, clock.now(), db);
  return existing.id;
}

async function createModel(deps: Deps, actor: SignedInActor, input: CreateInput): Promise<string> {
  const { db, modelsRepository, callableModels, audit, clock } = deps;
  if (!isModelId(input.id))
    throw errors.invalidRequest("id is not valid: a model is called owner/name.", { param: "id" });
  if (await modelsRepository.find(input.id)) throw modelExists(input.id);
  const row = await newModel(deps, input);
  await db.transaction().execute(async (trx) => {
    if (!(await modelsRepository.insert(row, clock.now(), trx))) throw modelExists(row.id);
    await audit.record({ actor, action: "models.create", target: row.id, details: { source: row.source } }, trx);
  });
  callableModels.invalidate();
  return row.id;
}

async function updateModel(deps: Deps, actor: SignedInActor, id: string, input: UpdateInput): Promise<void> {
  const { db, modelsRepository, callableModels, audit, clock } = deps;
  const existing = await modelsRepository.find(id);
  if (!existing) throw modelNotFound(id);
  const fields = await toColumns(deps, input, existing.family_id);
  // Later versions of the shipped catalogue and reports of backends must not overwrite an operator's changes.
  const isOperatorDecision = Object.keys(input).some((name) => !OPERATOR_ONLY_FIELDS.includes(name));
  const source = isOperatorDecision && REPLACEABLE_SOURCES.includes(existing.source) ? { source: "operator" } : {};
  // Neither do the probes of the server.
  const setsAbilities = input.tags !== undefined || input.input_modalities !== undefined;
  const abilities = setsAbilities ? { abilities_by_operator: true, probed_abilities: [] } : {};
  const sizeClass = await findSizeClass(db, existing, input);
  await db.transaction().execute(async (trx) => {
    if (
      !(await modelsRepository.update(
        existing.id,
        { ...fields, ...sizeClass, ...source, ...abilities },
        clock.now(),
        trx,
      ))
    )
      throw modelNotFound(id);
    const details = { fields: Object.keys(input).sort() };
    await audit.record({ actor, action: "models.update", target: existing.id, details }, trx);
  });
  callableModels.invalidate();
}

/** Returns the class for a new size. Empty if the input sets a class, or if the model's class does not depend on the size. */
async function findSizeClass(db: Database, { model_class_id }: StoredModel, input: UpdateInput): Promise<ModelFields> {
  const { parameter_size, model_class } = input;
  if (parameter_size === undefined || model_class !== undefined || !SIZE_CLASSES.includes(model_class_id)) return {};
  await ensureSizeClasses(db);
  return { model_class_id: sizeClassOf(parameter_size) };
}

async function deleteModel(
  { db, modelsRepository, liveModels, callableModels, audit, clock }: Deps,
  actor: SignedInActor,
  id: string,
): Promise<void> {
  const existing = await modelsRepository.find(id);
  if (!existing) throw modelNotFound(id);
  if (existing.organization_id !== null)
    throw errors.models.private(`${existing.id} is private to an organization, which can take it away.`);
  const { tier, isDownloading } = liveModels.availability(existing.id);
  if (tier !== "offline" && !isDownloading) throw errors.models.inUse({ model: existing.id });
  await db.transaction().execute(async (trx) => {
    if (!(await modelsRepository.delete(existing.id, clock.now(), trx))) throw modelNotFound(id);
    await audit.record({ actor, action: "models.delete", target: existing.id }, trx);
  });
  callableModels.invalidate();
}

async function importModel(
  deps: Deps,
  actor: SignedInActor,
  ids: readonly string[],
  token: string | undefined,
  modelClass: string | undefined,
) {
  const { db, callableModels, audit } = deps;
  if (modelClass !== undefined) await getModelClass(db, modelClass);
  const results = new Map<string, Result>();
  const queue = [...ids];
  const work = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift())
      results.set(id, await toBulkResult(id, importOne(deps, id, token, modelClass)));
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_IMPORTS }, work));
  const imported = [...results.values()].filter(({ ok }) => ok).map(({ id }) => id);
  await audit.record({ actor, action: "models.import", details: { imported, asked: ids.length } });
  callableModels.invalidate();
  return ids.flatMap((id) => results.get(id) ?? []);
}

async function toBulkResult(id: string, work: Promise<string>): Promise<Result> {
  try {
    return { id: await work, ok: true, error: null };
  } catch (error) {
    if (error instanceof AppError && error.status < 600) return { id, ok: false, error: error.message };
    throw error;
  }
}

function parseModelId(id: string) {
  const [owner = "", name = ""] = id.split("/");
  return { id, id_lower: id.toLowerCase(), owned_by: owner, name };
}

const modelNotFound = (id: string) => errors.modelNotFound(`There is no model called ${id}.`);
const modelExists = (id: string) => errors.models.exists({ model: id }, { param: "id" });
