import type { Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { FilterBar } from "#/components/list/filter-bar.tsx";
import { type Filter, type ListValues, readList } from "#/components/list/list-params.ts";
import { useListState } from "#/components/list/use-list-state.ts";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { reviewsQuery } from "#/features/admin/models/queries.ts";
import { ReviewItemView } from "#/features/admin/models/review-list.tsx";
import { adminPaths } from "#/features/admin/paths.ts";

const FILTERS: readonly Filter[] = [
  {
    name: "status",
    label: t`Which`,
    kind: "choice",
    emptyLabel: t`Reported`,
    options: [
      { value: "hidden", label: t`Hidden` },
      { value: "all", label: t`All` },
    ],
  },
];

const toQuery = ({ values, page }: ListValues) => ({ ...values, page, perPage: 25 }) as Query<"admin.reviews.list">;

/** Reported and hidden reviews, for moderation. */
export default function AdminReviewsPage() {
  const list = useListState(FILTERS);
  const reviews = useQuery(reviewsQuery(toQuery(list)));
  return (
    <>
      <PageHeader
        title={t`Reviews`}
        description={t`Reviews that somebody reported and nobody has decided about. A hidden one is shown to its author only and counts for nothing.`}
      />
      <FilterBar list={list} />
      {reviews.isError ? (
        <LoadError subject={t`The reviews`} error={reviews.error} retry={() => void reviews.refetch()} />
      ) : reviews.data === undefined ? (
        <Skeleton height={240} />
      ) : reviews.data.items.length === 0 ? (
        <EmptyState title={t`Nothing to decide`}>
          {list.values.status ? t`No review is in this state.` : t`When somebody reports a review, it stands here.`}
        </EmptyState>
      ) : (
        <>
          {reviews.data.items.map((item) => (
            <section key={item.review.id} aria-label={t`Review of ${item.model_id}`}>
              <Link className="block mt-4" to={adminPaths.model(item.model_id)}>
                <ModelId id={item.model_id} />
              </Link>
              <ReviewItemView item={item} />
            </section>
          ))}
          <Pager {...reviews.data.pagination} label={t`Reviews`} goToPage={list.goToPage} />
        </>
      )}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { search }: PageLocation): Promise<void> =>
  client.prefetchQuery(reviewsQuery(toQuery(readList(search, FILTERS))));
