import { queryOptions } from "@tanstack/react-query";
import type { ContentPage } from "./types.ts";

/**
 * A page of the site's own content; null when there is none of that name. It is part of the site: what has been loaded
 * stays true until the site is loaded anew.
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
