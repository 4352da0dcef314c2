import type { QueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import { useSearchParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { modelsQuery, statsQuery } from "#/entities/models/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { isPersonal, parseFilters, toModelsQuery } from "#/features/catalogue/list/filter-state.ts";
import { MODELS_PER_PAGE, ModelsList } from "#/features/catalogue/list/models-list.tsx";
import { lazyComponent } from "#/lib/lazy-component.ts";

// Not needed for the list, so it is in its own chunk.
const CompareView = lazyComponent(async () => (await import("#/features/catalogue/compare/compare-view.tsx")).default);

/** The catalogue; with `?compare`, the comparison of models. */
export default function ModelsPage() {
  const [params] = useSearchParams();
  const { user } = useUser();
  return params.has("compare") ? (
    <div className="page-width section first">
      <Suspense fallback={<Skeleton height={420} />}>
        <CompareView signedIn={user !== null} />
      </Suspense>
    </div>
  ) : (
    <ModelsList />
  );
}

/** Loads the statistics and the filtered list for the first view. */
export const prefetch = async (client: QueryClient, { search }: PageLocation): Promise<void> => {
  const params = new URLSearchParams(search);
  const filters = parseFilters(params);
  // A list that depends on the user is loaded once the user is known; a comparison does not show the list.
  const list = !params.has("compare") && !isPersonal(filters);
  await Promise.all([
    ...(list ? [client.prefetchQuery(modelsQuery(toModelsQuery(filters, MODELS_PER_PAGE)))] : []),
    client.prefetchQuery(statsQuery),
  ]);
};
