import type { QueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import { useSearchParams } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import { useUser } from "#/features/auth/user.ts";
import { isPersonal, readFilters, toQuery } from "#/features/catalogue/filter-state.ts";
import { ModelsList, PER_PAGE } from "#/features/catalogue/models-list.tsx";
import { modelsQuery, statsQuery } from "#/features/catalogue/queries.ts";
import { lazyPart } from "#/lib/lazy-part.ts";

// Not needed for the list, so it is in its own chunk.
const CompareView = lazyPart(async () => (await import("#/features/catalogue/compare/compare-view.tsx")).default);

/** The catalogue; with `?compare`, the comparison of models. */
export default function ModelsPage() {
  const [params] = useSearchParams();
  const { user } = useUser();
  return params.has("compare") ? (
    <div className="wrap section first">
      <Suspense fallback={<Skeleton height={420} />}>
        <CompareView signedIn={user !== null} />
      </Suspense>
    </div>
  ) : (
    <ModelsList />
  );
}

/** Loads the statistics and the filtered list for the first view. */
export const prefill = async (client: QueryClient, { search }: Pick<Location, "search">): Promise<void> => {
  const params = new URLSearchParams(search);
  const filters = readFilters(params);
  // A list that depends on the user is loaded once the user is known; a comparison does not show the list.
  const list = !params.has("compare") && !isPersonal(filters);
  await Promise.all([
    ...(list ? [client.prefetchQuery(modelsQuery(toQuery(filters, PER_PAGE)))] : []),
    client.prefetchQuery(statsQuery),
  ]);
};
