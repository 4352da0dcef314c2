import { isNotFound } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { paths } from "#/config/paths.ts";
import { CollectionView } from "#/features/collections/collection-view.tsx";
import { collectionQuery } from "#/features/collections/queries.ts";

/** A collection of documents. */
export default function CollectionPage() {
  const { id = "" } = useParams();
  const collection = useQuery(collectionQuery(id));
  if (collection.data) return <CollectionView key={id} collection={collection.data} />;
  return (
    <>
      <PageHeader title={t`Collection`} parentPage={{ label: t`Collections`, to: paths.collections }} />
      {isNotFound(collection.error) ? (
        <EmptyState
          title={t`There is no collection with this id`}
          action={
            <Link className="btn primary" to={paths.collections}>
              {t`See the collections`}
            </Link>
          }
        >
          {t`It was deleted, it belongs to another organization, or only another person may read it.`}
        </EmptyState>
      ) : (
        <Loaded subject={t`the collection`} query={collection}>
          {(data) => <CollectionView collection={data} />}
        </Loaded>
      )}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { params }: PageLocation): Promise<void> =>
  client.prefetchQuery(collectionQuery(params.id ?? ""));
