import { queryOptions } from "@tanstack/react-query";
import { loadDoc, loadLegal, loadPost } from "./pages.ts";

// Pages are part of the site: what has been loaded stays true until the site is loaded anew.
const kept = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY } as const;

/** A page of the docs; null when there is none of that name. */
export const docQuery = (slug: string) =>
  queryOptions({ queryKey: ["content", "docs", slug], queryFn: async () => loadDoc(slug), ...kept });
export const postQuery = (slug: string) =>
  queryOptions({ queryKey: ["content", "blog", slug], queryFn: async () => loadPost(slug), ...kept });
export const legalQuery = (slug: string) =>
  queryOptions({ queryKey: ["content", "legal", slug], queryFn: async () => loadLegal(slug), ...kept });
