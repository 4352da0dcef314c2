import { type Selectable, sql } from "kysely";
import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { ModelSources } from "../../../platform/core/db/schema.generated.ts";
import type { HubFile } from "../../hub/index.ts";
import { findSmallest, findSmallestPrecise, listLoadableFiles } from "../files/choose-file.ts";
import { chooseProjector } from "../files/choose-projector.ts";
import { parseHubFilesColumn, toHubFilesColumn } from "../files/hub-files-column.ts";
import type { SafetensorsFacts } from "../files/safetensors-facts.ts";
import type { ModelFile } from "../model-files.ts";

/**
 * The repository of a model's files when the hub was last read. `repository` is null if the hub had no files that can be
 * loaded.
 */
export type KnownSource = Omit<Selectable<ModelSources>, "files"> & { files: readonly HubFile[] };
/** A source that has just been read from the hub. */
type NewSource = {
  repository: string | null;
  revision: string | null;
  files: readonly HubFile[];
  /** The weights in the model's own repository if vLLM would run them; null otherwise. */
  safetensors?: Pick<SafetensorsFacts, "size" | "bytesPerToken"> | null;
};

/** The family of the built-in models. */
const BUILT_IN_FAMILY = "feather";

/**
 * Stores the repositories that models of the catalogue can be downloaded from. `usesProjectors` says whether a model's
 * projector is downloaded with it, so that it counts in the sizes.
 */
export function createSourcesRepository(db: Database, usesProjectors: boolean) {
  return {
    ...bind(db, { find: findSourceOf, findDue: findDueModel }),
    ...bind({ db, usesProjectors }, { save: saveSource }),
  };
}

export type SourcesRepository = ReturnType<typeof createSourcesRepository>;

/**
 * Returns the stored source of a model, by the model's id in any letter case or by the repository's id. Undefined if there
 * is none, or its row is damaged.
 */
async function findSourceOf(db: Database, id: string): Promise<KnownSource | undefined> {
  const row = await db
    .selectFrom("model_sources")
    .selectAll()
    .where((eb) =>
      eb.or([
        eb(sql`lower(model_id)`, "=", id.toLowerCase()),
        eb(sql`lower(coalesce(repository, ''))`, "=", id.toLowerCase()),
      ]),
    )
    .orderBy("read_at", "desc")
    .limit(1)
    .executeTakeFirst();
  const files = row ? parseHubFilesColumn(row.files) : null;
  return row && files !== null ? { ...row, files } : undefined;
}

/** Stores the source of a model of the catalogue; does nothing for other ids. */
async function saveSource(
  { db, usesProjectors }: { db: Database; usesProjectors: boolean },
  modelId: string,
  { files, safetensors = null, ...source }: NewSource,
  now: Date,
): Promise<void> {
  const loadable = listLoadableFiles(files);
  const projectorBytes = usesProjectors ? (chooseProjector(files)?.size ?? 0) : 0;
  const toBytes = (file: ModelFile | null) => file && file.size + projectorBytes;
  const columns = {
    ...source,
    precise_bytes: toBytes(findSmallestPrecise(loadable)),
    smallest_bytes: toBytes(findSmallest(loadable)),
    safetensors_bytes: safetensors?.size ?? null,
    safetensors_token_bytes: safetensors?.bytesPerToken ?? null,
    files: toHubFilesColumn(files),
    read_at: now,
  };
  await db
    .insertInto("model_sources")
    .columns([
      ...(["model_id", "repository", "revision", "files", "precise_bytes", "smallest_bytes"] as const),
      ...(["safetensors_bytes", "safetensors_token_bytes", "read_at"] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom("models")
        .select(({ val, cast }) => [
          "models.id",
          val(columns.repository).as("repository"),
          val(columns.revision).as("revision"),
          cast<string>(val(columns.files), "jsonb").as("files"),
          cast<number | null>(val(columns.precise_bytes), "bigint").as("precise_bytes"),
          cast<number | null>(val(columns.smallest_bytes), "bigint").as("smallest_bytes"),
          cast<number | null>(val(columns.safetensors_bytes), "bigint").as("safetensors_bytes"),
          cast<number | null>(val(columns.safetensors_token_bytes), "bigint").as("safetensors_token_bytes"),
          cast<Date>(val(columns.read_at), "timestamptz").as("read_at"),
        ])
        .where("id_lower", "=", modelId.toLowerCase())
        .where("organization_id", "is", null),
    )
    .onConflict((conflict) => conflict.column("model_id").doUpdateSet(columns))
    .execute();
}

/**
 * Returns the id of the public catalogue model whose source is read next. Only sources that were not read since
 * `staleBefore` count. Models in `preferred` or with files in the store come first, then the most downloaded. Models that
 * only the operator's backends have and built-in models are left out.
 */
async function findDueModel(db: Database, staleBefore: Date, preferred: readonly string[]): Promise<string | null> {
  const row = await db
    .selectFrom("models")
    .leftJoin("model_sources", "model_sources.model_id", "models.id")
    .select("models.id")
    .where("models.organization_id", "is", null)
    .where("models.is_private", "=", false)
    .where("models.disabled_at", "is", null)
    .where("models.source", "in", ["catalogue", "hub", "operator"])
    .where("models.family_id", "is distinct from", BUILT_IN_FAMILY)
    .where((eb) => eb.or([eb("read_at", "is", null), eb("read_at", "<", staleBefore)]))
    .orderBy(isPreferred(preferred), "desc")
    .orderBy(sql`models.downloads desc nulls last`)
    .orderBy("models.favorites", "desc")
    .orderBy("models.id_lower")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

const isPreferred = (preferred: readonly string[]) =>
  sql<boolean>`(models.id = any(${[...preferred]}::text[])
    or exists (select from store_files f where f.organization_id is null and lower(f.model_id) = models.id_lower)
    or exists (select from vllm_models v where lower(v.model_id) = models.id_lower))`;
