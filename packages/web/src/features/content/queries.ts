import { queryOptions } from "@tanstack/react-query";
import type { ContentPage } from "./types.ts";

/**
 * A page of the site's own content; null if it does not exist. Never refetched, because content only changes with a new
 * build.
 */
export const contentQuery = <Meta>(
  kind: string,
  slug: string,
  load: (slug: string) => Promise<ContentPage<Meta>> | null,
) =>
  queryOptions({
    queryKey: ["content", kind, slug],
    queryFn: async () => load(slug),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
