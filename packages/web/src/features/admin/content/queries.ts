import type { Query } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** Whether something is a post or a page. */
export type ContentKind = "post" | "page";

/** One page of posts and pages. */
export const contentListQuery = (query: Query<"admin.content.list">) =>
  queryOptions({ ...queries.admin.content.list.queryOptions(query), placeholderData: keepPreviousData });

/** A post or page with its text. */
export const contentItemQuery = (kind: ContentKind, slug: string) =>
  queryOptions({ ...queries.admin.content.get.queryOptions(kind, slug) });
