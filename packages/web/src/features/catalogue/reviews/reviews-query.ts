import type { Query } from "@feather/sdk";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The order of a list of reviews. */
export type ReviewSort = NonNullable<Query<"models.reviews.list">["sort"]>;
/** What identifies a list of a model's reviews: its order, and the ids of the tags that each of them has. */
export type ReviewsKey = { id: string; sort: ReviewSort; tags: readonly string[] };

const REVIEWS_PER_PAGE = 20;

/** The reviews of a model, loaded page by page. */
export const reviewsQuery = ({ id, sort, tags }: ReviewsKey) =>
  infiniteQueryOptions(
    queries.models.reviews.list.infiniteQueryOptions(id, {
      sort,
      perPage: REVIEWS_PER_PAGE,
      ...(tags.length > 0 && { tags: tags.join(",") }),
    }),
  );
