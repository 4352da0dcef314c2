import type { components } from "@feather/openapi/schema";
import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import { isModelId } from "../../http/canonical-url.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, invalidRequest, notFound } from "../../shared/errors.ts";
import type { Audit } from "../audit/audit.ts";
import { safeMarkdown } from "../hub/safe-markdown.ts";
import type { CallableModels } from "./callable-models.ts";
import type { LiveModels } from "./live-models.ts";
import { findClass, type ModelIntake, type Reading } from "./model-intake.ts";
import type { ModelFields, ModelsRepository, NewModel, StoredModel } from "./models.repository.ts";

type CreateInput = components["schemas"]["AdminModelCreate"];
type UpdateInput = components["schemas"]["AdminModelUpdate"];
type Result = components["schemas"]["BulkResult"];

type Deps = {
  db: Database;
  models: ModelsRepository;
  intake: ModelIntake;
  live: Pick<LiveModels, "availability">;
  callableModels: Pick<CallableModels, "forget">;
  audit: Audit;
  clock: Clock;
};

/** Columns that an administrator may set. */
type Given = Partial<Omit<NewModel, "id" | "id_lower" | "owned_by" | "name" | "source">>;

/** How many repositories an import reads concurrently. */
const AT_ONCE = 4;
/** Columns of a curated model that a new import from the hub still overwrites. */
const HUBS_OWN = ["downloads", "hf_created_at", "hub_revision", "hub_checked_at", "is_gated"] as const;

/**
 * Fields that the shipped catalogue never sets, so that changing them does not make the operator the model's source.
 */
const NO_NEWS_OF: readonly string[] = ["disabled", "max_completion_tokens", "plan_ids"] satisfies (keyof UpdateInput)[];

/** Use cases of administrators: creates, changes, deletes and imports models. */
export function createAdminModels({ db, models, intake, live, callableModels, audit, clock }: Deps) {
  /**
   * Returns the columns to write. Throws `invalid_request` for a family, sub-type, class or plan that does not exist.
   */
  async function fieldsOf(input: UpdateInput, family: string | null): Promise<Given> {
    const { model_class, disabled, readme, ...fields } = input;
    if (model_class !== undefined) await findClass(db, model_class);
    if (fields.family && !(await models.family(fields.family)))
      throw invalidRequest(`There is no family ${fields.family}.`, { param: "family" });
    const ofFamily = fields.family === undefined ? family : fields.family;
    if (fields.sub_type && !(ofFamily && (await models.subType(ofFamily, fields.sub_type))))
      throw invalidRequest(`The family has no sub-type ${fields.sub_type}.`, { param: "sub_type" });
    const [unknownPlan] = await models.unknownPlans(fields.plan_ids ?? []);
    if (unknownPlan !== undefined) throw invalidRequest(`There is no plan ${unknownPlan}.`, { param: "plan_ids" });
    const { family: family_id, sub_type: sub_type_id, ...columns } = fields;
    return {
      ...columns,
      ...(readme !== undefined && { readme: readme && safeMarkdown(readme) }),
      ...(family_id !== undefined && { family_id }),
      ...(sub_type_id !== undefined && { sub_type_id }),
      ...(model_class !== undefined && { model_class_id: model_class }),
      ...(disabled !== undefined && { disabled_at: disabled ? clock.now() : null }),
    };
  }

  /** Returns a new model's row: from the input alone if it names a class, else from the hub's data and the input. */
  async function newModel({ id, access_token, ...given }: CreateInput): Promise<NewModel> {
    if (given.model_class !== undefined) {
      const modelClass = await findClass(db, given.model_class);
      const family = given.family === undefined ? modelClass.family_id : given.family;
      const fields = await fieldsOf(given, family);
      return {
        ...nameOf(id),
        family_id: family,
        parameter_size: modelClass.parameter_size,
        input_modalities: modelClass.input_modalities,
        ...fields,
        model_class_id: modelClass.id,
        source: "operator",
      };
    }
    const reading = await intake.read(id, access_token);
    const place = await intake.classFor(reading, undefined);
    const fields = await fieldsOf(given, place.family_id ?? null);
    return { ...intake.facts(reading), ...place, ...fields, model_class_id: place.model_class_id, source: "hub" };
  }

  async function importOne(id: string, token: string | undefined, wanted: string | undefined): Promise<string> {
    const reading = await intake.read(id, token);
    const known = await models.find(reading.model.id);
    if (known) return reread(known, reading, wanted);
    const place =
      wanted === undefined ? await intake.classFor(reading, undefined) : await intake.placeIn(reading, wanted);
    const row = { ...intake.facts(reading), ...place, source: "hub" };
    await db.transaction().execute((trx) => models.insert(row, clock.now(), trx));
    return row.id;
  }

  /** Updates a known model from the hub. Columns that were curated by hand are kept. Returns its id. */
  async function reread(known: StoredModel, reading: Reading, wanted: string | undefined): Promise<string> {
    const { id: _, id_lower: __, owned_by: ___, name: ____, ...facts } = intake.facts(reading);
    const curated = known.source === "catalogue" || known.source === "operator";
    const hubs = Object.fromEntries(HUBS_OWN.map((name) => [name, facts[name]]));
    const fields: ModelFields = curated ? { ...hubs, ...(known.readme === null && { readme: facts.readme }) } : facts;
    const place =
      wanted !== undefined
        ? await intake.placeIn(reading, wanted)
        : known.source === "backend"
          ? await intake.classFor(reading, undefined)
          : {};
    const source = known.source === "backend" ? { source: "hub" } : {};
    await models.update(known.id, { ...fields, ...place, ...source }, clock.now(), db);
    return known.id;
  }

  return {
    async create(actor: SignedIn, input: CreateInput): Promise<string> {
      if (!isModelId(input.id)) throw invalidRequest("id is not valid: a model is called owner/name.", { param: "id" });
      if (await models.find(input.id)) throw exists(input.id);
      const row = await newModel(input);
      await db.transaction().execute(async (trx) => {
        if (!(await models.insert(row, clock.now(), trx))) throw exists(row.id);
        await audit.record({ actor, action: "models.create", target: row.id, details: { source: row.source } }, trx);
      });
      callableModels.forget();
      return row.id;
    },

    async update(actor: SignedIn, id: string, input: UpdateInput): Promise<void> {
      const known = await models.find(id);
      if (!known) throw noModel(id);
      const fields = await fieldsOf(input, known.family_id);
      // A later version of the shipped catalogue must not overwrite what an operator changed.
      const decided = Object.keys(input).some((name) => !NO_NEWS_OF.includes(name));
      const source = decided && known.source === "catalogue" ? { source: "operator" } : {};
      await db.transaction().execute(async (trx) => {
        if (!(await models.update(known.id, { ...fields, ...source }, clock.now(), trx))) throw noModel(id);
        const details = { fields: Object.keys(input).sort() };
        await audit.record({ actor, action: "models.update", target: known.id, details }, trx);
      });
      callableModels.forget();
    },

    async delete(actor: SignedIn, id: string): Promise<void> {
      const known = await models.find(id);
      if (!known) throw noModel(id);
      if (known.organization_id !== null)
        throw new AppError(409, "models.private", `${known.id} is private to an organization, which can take it away.`);
      if (live.availability(known.id).tier !== "offline")
        throw new AppError(409, "models.in_use", `${known.id} runs here. Take it from the backends that run it first.`);
      await db.transaction().execute(async (trx) => {
        if (!(await models.delete(known.id, clock.now(), trx))) throw noModel(id);
        await audit.record({ actor, action: "models.delete", target: known.id }, trx);
      });
      callableModels.forget();
    },

    async import(actor: SignedIn, ids: readonly string[], token: string | undefined, modelClass: string | undefined) {
      if (modelClass !== undefined) await findClass(db, modelClass);
      const results = new Map<string, Result>();
      const waiting = [...ids];
      const work = async () => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
          results.set(id, await resultOf(id, importOne(id, token, modelClass)));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      const imported = [...results.values()].filter(({ ok }) => ok).map(({ id }) => id);
      await audit.record({ actor, action: "models.import", details: { imported, asked: ids.length } });
      callableModels.forget();
      return ids.flatMap((id) => results.get(id) ?? []);
    },
  };
}

export type AdminModels = ReturnType<typeof createAdminModels>;

async function resultOf(id: string, work: Promise<string>): Promise<Result> {
  try {
    return { id: await work, ok: true, error: null };
  } catch (error) {
    if (error instanceof AppError && error.status < 600) return { id, ok: false, error: error.message };
    throw error;
  }
}

function nameOf(id: string) {
  const [owner = "", name = ""] = id.split("/");
  return { id, id_lower: id.toLowerCase(), owned_by: owner, name };
}

const noModel = (id: string) => notFound(`There is no model called ${id}.`, "model_not_found");
const exists = (id: string) =>
  new AppError(409, "models.exists", `There is a model called ${id} already. Change that one.`, { param: "id" });
