import { details } from "virtual:contract/calls";
import { queryOptions } from "@tanstack/react-query";

/** The operations of a tag; null when there is no such tag. */
export const tagQuery = (slug: string) =>
  queryOptions({
    queryKey: ["content", "reference", slug],
    queryFn: async () => (await details[slug]?.())?.default ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
