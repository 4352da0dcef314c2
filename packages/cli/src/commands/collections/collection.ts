import type { Collection, CollectionDocument, Feather } from "@feather/sdk";
import { ResourceNotFoundError, UsageError } from "../../errors.ts";

/** Fields that `--json` accepts. */
export const COLLECTION_FIELDS = [
  "id",
  "name",
  "description",
  "access",
  "embedding_model",
  "may_change",
  "documents",
  "waiting_documents",
  "failed_documents",
  "passages",
  "created_by_name",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Collection)[];

/** Fields of documents that `--json` accepts. */
export const DOCUMENT_FIELDS = [
  "id",
  "name",
  "type",
  "pages",
  "characters",
  "cut_at",
  "passages",
  "embedded_passages",
  "state",
  "problem",
  "next_try_at",
  "created_by_name",
  "created_at",
] as const satisfies readonly (keyof CollectionDocument)[];

/** The argument that names a collection. */
export const COLLECTION_ARGUMENT = {
  name: "<collection>",
  summary: "its name or id: feather collections list",
} as const;

/** Returns the collection of a name or an id. Throws where there is none, and `UsageError` where several have the name. */
export async function findCollection(
  { collections }: Pick<Feather, "collections">,
  given: string,
  signal: AbortSignal,
): Promise<Collection> {
  const { items } = await collections.list({ signal });
  const name = given.toLowerCase();
  const found = items.filter((one) => one.id === given || one.name.toLowerCase() === name);
  const [only] = found;
  if (only === undefined)
    throw new ResourceNotFoundError(`there is no collection ${given} that you may read`, "feather collections list");
  if (found.length > 1)
    throw new UsageError(`${found.length} collections are called ${given}; name one by its id`, only.id);
  return only;
}
