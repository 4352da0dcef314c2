import type { CollectionDocument } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** How often documents whose vectors are being made are read again. */
const WAITING_POLL_MS = 3_000;

/** The collections that the user may read. */
export const collectionsQuery = queries.collections.list.queryOptions();

/** One collection by its id. */
export const collectionQuery = (id: string) => queryOptions(queries.collections.get.queryOptions(id));

/** Documents of a collection, the newest first. They are read again while one of them waits for vectors. */
export const documentsQuery = (id: string, page: number) =>
  queryOptions({
    ...queries.collections.documents.list.queryOptions(id, { page }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isWaiting) ? WAITING_POLL_MS : false),
  });

/** Whether vectors of a document are being made, or will be without a wait. */
export const isWaiting = ({ state }: Pick<CollectionDocument, "state">): boolean =>
  state === "waiting" || state === "embedding";

/** The keys of everything that was read of collections. */
export const COLLECTION_KEYS = [queries.collections.key()];
