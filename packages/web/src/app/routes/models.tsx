import type { QueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import { useSearchParams } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import { useUser } from "#/features/auth/user.ts";
import { isPersonal, readFilters, toQuery } from "#/features/catalogue/filter-state.ts";
import { ModelsList, PER_PAGE } from "#/features/catalogue/models-list.tsx";
import { modelsQuery, statsQuery } from "#/features/catalogue/queries.ts";
import { lazyPart } from "#/lib/lazy-part.ts";

// A first visit has no use for it.
const CompareView = lazyPart(async () => (await import("#/features/catalogue/compare/compare-view.tsx")).default);

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

export const prefill = async (client: QueryClient, { search }: Pick<Location, "search">): Promise<void> => {
  const params = new URLSearchParams(search);
  const filters = readFilters(params);
  // What depends on who looks is asked for once that is known; what is compared is a page of its own.
  const list = !params.has("compare") && !isPersonal(filters);
  await Promise.all([
    ...(list ? [client.prefetchQuery(modelsQuery(toQuery(filters, PER_PAGE)))] : []),
    client.prefetchQuery(statsQuery),
  ]);
};
