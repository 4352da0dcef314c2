import type { Selectable } from "kysely";
import { sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Models } from "../../platform/core/db/schema.generated.ts";
import { isPrivateModelKey, privateModelKey } from "../../platform/core/models/model-keys.ts";
import {
  type CatalogueContext,
  type CatalogueQuery,
  contextLength,
  isSavedBy,
  isUnlockedBy,
} from "./listing/catalogue.query.ts";
import type { Facets } from "./listing/facets.ts";
import { type PageRequest, selectPage } from "./listing/model-page.ts";
import { listWords, withIndexScans } from "./listing/search.ts";
import type { Selection } from "./listing/selection.ts";
import { isVisibleTo, type Viewer } from "./viewer.ts";

/** A model with the defaults of its class, and whether the viewer has unlocked or saved it. */
export type ModelRow = Omit<
  Selectable<Models>,
  | "id"
  | "id_lower"
  | "search_text"
  | "joined_text"
  | "size_words"
  | "readme"
  | "context_length"
  | "probed_abilities"
  | "abilities_by_operator"
> & {
  /** The id that callers use. */
  id: string;
  /** The key of the model in backends, engines and other tables. It differs from `id` for a private model. */
  key: string;
  context_length: number | null;
  concurrency_cost: number;
  /** The sizes of its files on the hub in bytes; null if they are unknown. */
  precise_bytes: number | null;
  smallest_bytes: number | null;
  /**
   * The bytes of its weights in safetensors files and of one token of context, if vLLM would run it; null if they are
   * unknown.
   */
  safetensors_bytes: number | null;
  safetensors_token_bytes: number | null;
  is_moe: boolean;
  /** Whether a probe has shown that its answers follow a JSON schema. */
  follows_schemas: boolean;
  unlocked: boolean;
  is_favorite: boolean;
};
/** A model with its readme as sanitized Markdown; null without one. */
export type ModelDetail = ModelRow & { readme: string | null };
/** A page of models, with the number of models on all pages. */
export type ModelPage = { rows: ModelRow[]; total: number; facets?: Facets };

const LIST_COLUMNS = [
  "models.id as key",
  "models.owned_by",
  "models.name",
  "models.family_id",
  "models.sub_type_id",
  "models.model_class_id",
  "models.parameter_size",
  "models.active_parameters",
  "models.description",
  "models.license",
  "models.tags",
  "models.languages",
  "models.input_modalities",
  "models.output_modalities",
  "models.architecture",
  "models.base_model",
  "models.is_gated",
  "models.is_private",
  "models.organization_id",
  "models.status",
  "models.released_date",
  "models.source",
  "models.favorites",
  "models.downloads",
  "models.likes",
  "models.avg_rating",
  "models.total_reviews",
  "models.plan_ids",
  "models.disabled_at",
  "models.hub_revision",
  "models.hub_checked_at",
  "models.hf_created_at",
  "models.created_at",
  "models.updated_at",
] as const;
const MAX_FAVORITES = 10_000;

/** Creates the repository that reads the catalogue as a viewer sees it, and stores favorites. */
export function createCatalogueRepository(db: Database) {
  return bind(db, {
    list: listModels,
    find: findModel,
    findByKey,
    listByIds,
    listFavorites,
    addFavorite,
    removeFavorite,
  });
}

export type CatalogueRepository = ReturnType<typeof createCatalogueRepository>;

function rows(viewer: Viewer, from: Selection) {
  return from
    .innerJoin("model_classes", "model_classes.id", "models.model_class_id")
    .leftJoin("model_sources", "model_sources.model_id", "models.id")
    .select(LIST_COLUMNS)
    .select([
      "model_sources.precise_bytes",
      "model_sources.smallest_bytes",
      "model_sources.safetensors_bytes",
      "model_sources.safetensors_token_bytes",
      sql<string>`model_id_of(models.id)`.as("id"),
      "concurrency_cost",
      contextLength.as("context_length"),
      sql<number | null>`coalesce(models.max_completion_tokens, model_classes.max_completion_tokens)`.as(
        "max_completion_tokens",
      ),
      sql<boolean>`(model_classes.is_moe or 'moe' = any(models.tags))`.as("is_moe"),
      sql<boolean>`exists (select 1 from model_probes as probe where probe.model_id = models.id
        and probe.ability = 'json_schema' and probe.result = 'yes')`.as("follows_schemas"),
      isUnlockedBy(viewer.organizationId).as("unlocked"),
      isSavedBy(viewer.userId).as("is_favorite"),
    ]);
}

/** Returns the models with these keys, in the order of the keys. */
function listByKeys(db: Database, keys: readonly string[], viewer: Viewer): Promise<ModelRow[]> {
  const request = sql<{ id: string; place: number }>`(
      select id, place from unnest(${[...keys]}::text[]) with ordinality as listed (id, place)
    )`;
  return rows(viewer, db.selectFrom("models"))
    .innerJoin(request.as("wanted"), "wanted.id", "models.id")
    .orderBy("wanted.place")
    .execute();
}

function selectByKey(db: Database, key: string, viewer: Viewer): Promise<ModelDetail | undefined> {
  return rows(viewer, db.selectFrom("models").where("id_lower", "=", key.toLowerCase()))
    .select("readme")
    .executeTakeFirst();
}

async function listModels(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  request: PageRequest,
): Promise<ModelPage> {
  const { ids, ...page } = await withIndexScans(db, listWords(context.search), (trx) =>
    selectPage(trx, query, context, request),
  );
  return { ...page, rows: await listByKeys(db, ids, context.viewer) };
}

/** Returns the model that the viewer calls by an id: the one of their organization, otherwise the public one. */
async function findModel(db: Database, id: string, viewer: Viewer): Promise<ModelDetail | undefined> {
  if (isPrivateModelKey(id)) return undefined;
  const { organizationId } = viewer;
  const ownModel =
    organizationId === null ? undefined : await selectByKey(db, privateModelKey(organizationId, id), viewer);
  return ownModel ?? selectByKey(db, id, viewer);
}

/** Returns a public model by its id, or a private one by its key. */
function findByKey(db: Database, key: string, viewer: Viewer): Promise<ModelDetail | undefined> {
  return selectByKey(db, key, viewer);
}

/** Returns the public models with these ids, in any letter case and order. */
function listByIds(db: Database, ids: readonly string[], viewer: Viewer): Promise<ModelRow[]> {
  const lowerCase = ids.map((id) => id.toLowerCase());
  return rows(
    viewer,
    db.selectFrom("models").where("models.id_lower", "=", sql<string>`any(${lowerCase}::text[])`),
  ).execute();
}

/** Returns the viewer's saved models, the latest first. */
function listFavorites(db: Database, viewer: Viewer): Promise<ModelRow[]> {
  return rows(viewer, db.selectFrom("models").where(isVisibleTo(viewer)))
    .innerJoin("favorites as saved", "saved.model_id", "models.id")
    .where("saved.user_id", "=", viewer.userId)
    .orderBy("saved.created_at", "desc")
    .orderBy("models.id_lower")
    .limit(MAX_FAVORITES)
    .execute();
}

async function addFavorite(db: Database, userId: string, modelKey: string, now: Date): Promise<void> {
  await db
    .insertInto("favorites")
    .values({ user_id: userId, model_id: modelKey, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function removeFavorite(db: Database, userId: string, modelKey: string): Promise<void> {
  await db.deleteFrom("favorites").where("user_id", "=", userId).where("model_id", "=", modelKey).execute();
}
