import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Insertable, sql } from "kysely";
import { parseSizeInName } from "../../models/model-sizes.ts";
import type { Database } from "../connect.ts";
import type { ModelClasses, Models } from "../schema.generated.ts";
import { classifyModel, type SeedModel } from "./classes.ts";
import { SEED_PLANS } from "./plans.ts";
import { PUBLISHED_CLASSES, type PublishedClass } from "./published-classes.ts";

type SeedFamily = {
  slug: string;
  name: string;
  owner: string;
  description: string;
  sub_types: { slug: string; name: string; released: string | null; description: string }[];
};
/** A model that is part of the installation. */
export type BuiltInModel = {
  id: string;
  contextLength: number;
  parameters: number;
  description: string;
  readme: string;
  /** Whether metered plans call it free of charge, whatever models of its size cost. */
  isFree: boolean;
};

const SEED_FOLDER = new URL("../../../../../seed/", import.meta.url);
const CATALOGUE = "catalogue";

/**
 * Writes the catalogue and the plans of a new installation to the database. Running it again updates the catalogue, but not
 * what operators may change: plans, classes, and models whose source is not the catalogue.
 */
export async function seed(db: Database, builtIn: readonly BuiltInModel[]): Promise<void> {
  const models = readJson<SeedModel[]>("models.json");
  const families = readJson<SeedFamily[]>("families.json");
  const hash = createHash("sha256")
    .update(JSON.stringify([models, families, SEED_PLANS, builtIn, PUBLISHED_CLASSES, "v4"]))
    .digest("hex");
  const seeded = await db.selectFrom("seeds").select("content_hash").where("name", "=", CATALOGUE).executeTakeFirst();
  if (seeded?.content_hash === hash) return;
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("plans")
      .values(SEED_PLANS.map((plan, position) => ({ ...plan, position })))
      .onConflict((c) => c.doNothing())
      .execute();
    await seedFamilies(trx, families);
    await seedClasses(trx, models, builtIn);
    await seedModels(trx, [...models.map(toCatalogueRow), ...builtIn.map(toBuiltInRow)]);
    await seedFreePrices(trx, builtIn);
    await trx
      .insertInto("seeds")
      .values({ name: CATALOGUE, content_hash: hash })
      .onConflict((c) => c.column("name").doUpdateSet({ content_hash: hash, seeded_at: sql`now()` }))
      .execute();
  });
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, SEED_FOLDER), "utf8")) as T;
}

async function seedFamilies(db: Database, families: SeedFamily[]): Promise<void> {
  const builtInFamily: SeedFamily = {
    slug: "feather",
    name: "Feather",
    owner: "Feather",
    description: "Small models that come with the platform.",
    sub_types: [],
  };
  const all = [builtInFamily, ...families];
  await db
    .insertInto("families")
    .values(all.map(({ slug, name, owner, description }) => ({ id: slug, name, owner, description })))
    .onConflict((c) => c.doNothing())
    .execute();
  const subTypes = all.flatMap((family) =>
    family.sub_types.map(({ slug, name, released, description }) => ({
      family_id: family.slug,
      id: slug,
      name,
      description,
      released_date: released,
    })),
  );
  await db
    .insertInto("sub_types")
    .values(subTypes)
    .onConflict((c) => c.doNothing())
    .execute();
}

async function seedClasses(db: Database, models: SeedModel[], builtIn: readonly BuiltInModel[]): Promise<void> {
  const classes = new Map<string, Insertable<ModelClasses>>(
    PUBLISHED_CLASSES.map((row) => [row.id, toPublishedClassRow(row)]),
  );
  for (const model of models) {
    const { id, concurrency_cost, published } = classifyModel(model);
    if (published) continue;
    const known = classes.get(id);
    classes.set(id, {
      id,
      name: id,
      concurrency_cost,
      family_id: model.family,
      parameter_size: known?.parameter_size ?? model.parameters ?? parseSizeInName(model.id),
      active_parameters: known?.active_parameters ?? model.active_parameters,
      context_length: longer(known?.context_length ?? null, model.context_length),
      is_moe: (known?.is_moe ?? false) || model.tags.includes("moe"),
      input_modalities: model.tags.includes("vision") ? ["text", "image"] : (known?.input_modalities ?? ["text"]),
    });
  }
  for (const model of builtIn) {
    const id = classIdOf(model);
    classes.set(id, {
      id,
      name: id,
      concurrency_cost: 1,
      family_id: "feather",
      parameter_size: model.parameters,
      context_length: model.contextLength,
    });
  }
  await db
    .insertInto("model_classes")
    .values([...classes.values()])
    .onConflict((c) => c.doNothing())
    .execute();
}

/** Returns the longer of two contexts; null if both are unknown. */
function longer(one: number | null, other: number | null): number | null {
  return one === null ? other : Math.max(one, other ?? 0);
}

function toPublishedClassRow({
  id,
  family,
  context,
  cost,
  parameters,
  moe,
  vision,
}: PublishedClass): Insertable<ModelClasses> {
  return {
    id,
    name: id,
    family_id: family,
    parameter_size: parameters,
    context_length: context,
    concurrency_cost: cost,
    is_moe: moe ?? false,
    input_modalities: vision ? ["text", "image"] : ["text"],
  };
}

function toCatalogueRow(model: SeedModel): Insertable<Models> {
  const [owner = "", name = ""] = model.id.split("/");
  return {
    id: model.id,
    id_lower: model.id.toLowerCase(),
    owned_by: owner,
    name,
    family_id: model.family,
    sub_type_id: model.sub_type,
    model_class_id: classifyModel(model).id,
    parameter_size: model.parameters ?? parseSizeInName(model.id),
    active_parameters: model.active_parameters,
    context_length: model.context_length,
    description: model.summary,
    license: model.license,
    tags: model.tags,
    languages: model.languages ?? [],
    input_modalities: model.tags.includes("vision") ? ["text", "image"] : ["text"],
    architecture: model.architecture,
    base_model: model.base_model,
    is_gated: model.gated,
    released_date: model.release_date,
    source: CATALOGUE,
  };
}

function classIdOf({ id }: BuiltInModel): string {
  return id.replace("/", "-");
}

function toBuiltInRow(model: BuiltInModel): Insertable<Models> {
  const [owner = "", name = ""] = model.id.split("/");
  return {
    id: model.id,
    id_lower: model.id.toLowerCase(),
    owned_by: owner,
    name,
    family_id: "feather",
    model_class_id: classIdOf(model),
    parameter_size: model.parameters,
    context_length: model.contextLength,
    description: model.description,
    readme: model.readme,
    license: "apache-2.0",
    tags: ["chat"],
    languages: ["en"],
    architecture: "LlamaForCausalLM",
    is_gated: false,
    source: CATALOGUE,
  };
}

async function seedModels(db: Database, all: Insertable<Models>[]): Promise<void> {
  const removed = await db.selectFrom("removed_models").select("id_lower").execute();
  const rows = all.filter(({ id_lower }) => !removed.some((row) => row.id_lower === id_lower));
  const columns = [
    "family_id",
    "sub_type_id",
    "model_class_id",
    "parameter_size",
    "active_parameters",
    "context_length",
    "description",
    "license",
    "tags",
    "languages",
    "input_modalities",
    "architecture",
    "base_model",
    "is_gated",
    "released_date",
  ] as const;
  await db
    .insertInto("models")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((eb) => ({
          ...Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)])),
          // The shipped catalogue rarely has a readme, so the hub's is kept.
          readme: sql<string | null>`coalesce(excluded.readme, models.readme)`,
          updated_at: sql<Date>`now()`,
        }))
        .where("models.source", "=", CATALOGUE),
    )
    .execute();
}

/** Adds prices of zero. Operators can add a price that applies from a later date. */
async function seedFreePrices(db: Database, builtIn: readonly BuiltInModel[]): Promise<void> {
  const free = builtIn.filter(({ isFree }) => isFree);
  if (free.length === 0) return;
  const rows = free.map((model) => ({
    id: `price_${classIdOf(model).replace("-", "_")}`,
    scope: "model",
    target: model.id,
    prompt: "0",
    completion: "0",
    effective_at: "2000-01-01T00:00:00Z",
    created_at: sql<Date>`now()`,
  }));
  await db
    .insertInto("prices")
    .values(rows)
    .onConflict((c) => c.doNothing())
    .execute();
}
