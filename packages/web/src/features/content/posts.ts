import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** One page of the posts of the blog, newest first, or of those with a tag. */
export const postsQuery = ({ tag, page }: { tag: string | null; page: number }) =>
  queryOptions({ ...queries.posts.list.queryOptions({ ...(tag !== null && { tag }), page, perPage: 20 }) });

/** A post of the blog. */
export const postQuery = (slug: string) => queryOptions({ ...queries.posts.get.queryOptions(slug) });

/** A page of the operator. */
export const ownPageQuery = (slug: string) => queryOptions({ ...queries.pages.get.queryOptions(slug) });

/** A compiled text. The compiler is large, so only pages with texts from the server load it. */
export const compiledQuery = (text: string) =>
  queryOptions({
    queryKey: ["markdown", text],
    queryFn: async () => (await import("@feather/markdown/compile")).compileMarkdown(text),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The day on which something was published, in UTC, such as `2026-12-01`. */
export const toDay = (time: Date): string => time.toISOString().slice(0, "2026-12-01".length);
