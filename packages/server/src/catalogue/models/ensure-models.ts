import { sql } from "kysely";
import type { FoundModel } from "../../gateway/index.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { parseSizeInName } from "../../platform/core/models/model-sizes.ts";
import { ensureSizeClasses, sizeClassOf } from "./size-classes.ts";

/** The source of models that were only found on a backend. */
const BACKEND_SOURCE = "backend";

/** The source of models that an administrator has described. */
const OPERATOR_SOURCE = "operator";
/** The description of models of which no backend says more. */
const UNDESCRIBED = "A backend has it; the catalogue knows no more of it.";
/** A statement of PostgreSQL takes 65,535 values, and a provider may list tens of thousands of models. */
const MAX_INSERTED_MODELS = 1_000;

type KnownModel = {
  id: string;
  source: string;
  context_length: number | null;
  parameter_size: number | null;
  input_modalities: string[];
  description: string;
  tags: string[];
  abilities_by_operator: boolean;
};

/**
 * Returns a function that adds models which a backend or the model store has and the catalogue lacks, and returns the
 * canonical id of each by the id that was passed in. Context length and size of these models are stored, and updated
 * when they change, as nothing else states them; so are their descriptions and abilities, when they are stated first. What a
 * model reads besides text is added to models of any source. A size that is not reported is taken from the first name that
 * has one. Of what a backend states, abilities are left out that a probe there has not found.
 */
export function createEnsureModels(db: Database, clock: Clock, invalidateModels: () => void) {
  return async (given: readonly FoundModel[]): Promise<Map<string, string>> => {
    if (given.length === 0) return new Map();
    const known = await findModels(db, given);
    const models = await withoutDisproved(db, given, known);
    const changed = [await updateFacts(db, models, known), await addInputModalities(db, models, known)].includes(true);
    const missing = models.filter(({ id }) => !known.has(id.toLowerCase()));
    if (missing.length > 0) await insertModels(db, missing, clock.now());
    if (changed || missing.length > 0) invalidateModels();
    return toCanonicalIds(models, missing.length > 0 ? await findModels(db, models) : known);
  };
}

async function findModels(db: Database, models: readonly FoundModel[]): Promise<Map<string, KnownModel>> {
  const ids = models.map(({ id }) => id.toLowerCase());
  const rows = await db
    .selectFrom("models")
    .select([
      "id",
      "id_lower",
      "source",
      "context_length",
      "parameter_size",
      "input_modalities",
      "description",
      "tags",
      "abilities_by_operator",
    ])
    .where(sql<boolean>`id_lower = any(${ids}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.id_lower, row]));
}

/** Returns the models without the abilities that a backend states, but that a probe there has not found. */
async function withoutDisproved(
  db: Database,
  models: readonly FoundModel[],
  known: ReadonlyMap<string, KnownModel>,
): Promise<readonly FoundModel[]> {
  const backends = [...new Set(models.flatMap(({ backend }) => backend ?? []))];
  if (backends.length === 0) return models;
  const rows = await db
    .selectFrom("model_probes")
    .select(["model_id", "backend", "ability"])
    .where("backend", "in", backends)
    .where("result", "=", "no")
    .where("ability", "in", ["tools", "vision"])
    .execute();
  if (rows.length === 0) return models;
  const disproved = new Set(rows.map(({ model_id, backend, ability }) => `${ability} ${backend} ${model_id}`));
  return models.map((model) => {
    const { id, backend = "", abilities, inputModalities } = model;
    const place = `${backend} ${known.get(id.toLowerCase())?.id ?? id}`;
    const [hasNoTools, seesNothing] = [disproved.has(`tools ${place}`), disproved.has(`vision ${place}`)];
    if (!hasNoTools && !seesNothing) return model;
    return {
      ...model,
      ...(abilities && {
        abilities: {
          ...abilities,
          ...(hasNoTools && { tools: false }),
          ...(seesNothing && { images: false }),
        },
      }),
      ...(inputModalities && seesNothing && { inputModalities: inputModalities.filter((item) => item !== "image") }),
    };
  });
}

async function insertModels(db: Database, models: readonly FoundModel[], now: Date): Promise<void> {
  await ensureSizeClasses(db);
  for (let start = 0; start < models.length; start += MAX_INSERTED_MODELS) {
    const part = models.slice(start, start + MAX_INSERTED_MODELS);
    await db
      .insertInto("models")
      .values(part.map((model) => ({ ...toModelRow(model), created_at: now, updated_at: now })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/**
 * Adds what backends say that their models read, such as pictures, unless an administrator has described the model or set what
 * it reads. Returns whether something has changed.
 */
async function addInputModalities(
  db: Database,
  models: readonly FoundModel[],
  known: ReadonlyMap<string, KnownModel>,
): Promise<boolean> {
  let changed = false;
  for (const { id, inputModalities } of models) {
    const row = known.get(id.toLowerCase());
    if (!row || row.source === OPERATOR_SOURCE || row.abilities_by_operator) continue;
    const missing = (inputModalities ?? []).filter((modality) => !row.input_modalities.includes(modality));
    if (missing.length === 0) continue;
    await db
      .updateTable("models")
      .set({ input_modalities: [...row.input_modalities, ...missing] })
      .where("id", "=", row.id)
      .where("source", "<>", OPERATOR_SOURCE)
      .where("abilities_by_operator", "=", false)
      .execute();
    changed = true;
  }
  return changed;
}

/** Stores the reported sizes, descriptions and abilities of models that only backends have. Returns whether something has changed. */
async function updateFacts(
  db: Database,
  models: readonly FoundModel[],
  known: ReadonlyMap<string, KnownModel>,
): Promise<boolean> {
  let changed = false;
  for (const { id, contextLength, parameterSize, description, abilities, names = [] } of models) {
    const row = known.get(id.toLowerCase());
    if (row?.source !== BACKEND_SOURCE) continue;
    const context_length = contextLength ?? row.context_length;
    const parameter_size = parameterSize ?? row.parameter_size ?? findSizeInNames([id, ...names]);
    // Another backend may say less or something else: what one has said stays.
    const facts = {
      context_length,
      parameter_size,
      description: row.description === UNDESCRIBED ? (description ?? UNDESCRIBED) : row.description,
      tags: [...new Set([...row.tags, ...toTags(abilities)])],
    };
    const isSame =
      context_length === row.context_length &&
      parameter_size === row.parameter_size &&
      facts.description === row.description &&
      facts.tags.length === row.tags.length;
    if (isSame) continue;
    await ensureSizeClasses(db);
    await db
      .updateTable("models")
      .set({ ...facts, model_class_id: sizeClassOf(parameter_size) })
      .where("id", "=", row.id)
      .where("source", "=", BACKEND_SOURCE)
      .execute();
    changed = true;
  }
  return changed;
}

function toCanonicalIds(models: readonly FoundModel[], known: ReadonlyMap<string, KnownModel>): Map<string, string> {
  return new Map(models.map(({ id }) => [id, known.get(id.toLowerCase())?.id ?? id]));
}

function findSizeInNames(names: readonly string[]): number | null {
  for (const name of names) {
    const size = parseSizeInName(name.slice(name.search(/[^/\\]*$/)));
    if (size !== null) return size;
  }
  return null;
}

/** Returns the catalogue's tags for the abilities that a backend states. */
function toTags(abilities: FoundModel["abilities"]): string[] {
  return [
    ...(abilities?.tools ? ["tool-use"] : []),
    ...(abilities?.images ? ["vision"] : []),
    ...(abilities?.reasoning ? ["reasoning"] : []),
  ];
}

function toModelRow({ id, contextLength, parameterSize, inputModalities, names = [], ...stated }: FoundModel) {
  const [owner = "", name = ""] = id.split("/");
  const parameter_size = parameterSize ?? findSizeInNames([id, ...names]);
  return {
    id,
    id_lower: id.toLowerCase(),
    owned_by: owner,
    name,
    model_class_id: sizeClassOf(parameter_size),
    parameter_size,
    context_length: contextLength,
    ...(inputModalities && inputModalities.length > 0 && { input_modalities: [...inputModalities] }),
    description: stated.description ?? UNDESCRIBED,
    tags: toTags(stated.abilities),
    source: BACKEND_SOURCE,
  };
}
