import type { QueryClient } from "@tanstack/react-query";
import { CollectionList } from "#/features/collections/collection-list.tsx";
import { collectionsQuery } from "#/features/collections/queries.ts";

/** The collections of documents that the user may read. */
export default function CollectionsPage() {
  return <CollectionList />;
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(collectionsQuery);
