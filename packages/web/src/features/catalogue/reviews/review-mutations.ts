import type { Review, ReviewList } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { modelQuery } from "#/entities/models/queries.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { type ReviewsKey, reviewsQuery } from "./reviews-query.ts";

type Pages = InfiniteData<ReviewList>;
type ReviewChange<V> = {
  send(values: V): PromiseLike<unknown>;
  /** Returns a page of reviews after the change. */
  change(page: ReviewList, values: V, index: number): ReviewList;
  success?: () => string;
  /** Called when the server has confirmed the change. */
  onDone?: () => void;
};

/**
 * A change to the reviews of a model that is shown at once. Changes to the same model's reviews run one after the other.
 */
function useReviewChange<V>(list: ReviewsKey, { send, change, success, onDone }: ReviewChange<V>) {
  return useAction<V, unknown>(send, {
    scope: `reviews of ${list.id}`,
    optimistic: (client, values) => updateReviews(client, list, (page, index) => change(page, values, index)),
    ...(success && { success }),
    describeError: (error) => ({ title: t`That did not work`, description: errorMessage(error) }),
    onSuccess: () => onDone?.(),
    invalidates: [queries.models.reviews.list.key(list.id), modelQuery(list.id).queryKey],
  });
}

/** Changes the loaded pages of reviews. Returns a function that restores them. */
async function updateReviews(
  client: QueryClient,
  list: ReviewsKey,
  change: (page: ReviewList, index: number) => ReviewList,
): Promise<() => void> {
  const { queryKey } = reviewsQuery(list);
  await client.cancelQueries({ queryKey });
  const previous = client.getQueryData<Pages>(queryKey);
  client.setQueryData<Pages>(queryKey, (data) => data && { ...data, pages: data.pages.map(change) });
  return () => client.setQueryData<Pages>(queryKey, previous);
}

/** Marks a review as helpful, or removes the mark. */
export function useHelpfulVote(list: ReviewsKey, review: Review) {
  return useReviewChange(list, {
    send: (helpful: boolean) => feather.models.reviews.helpful(list.id, review.id, { helpful }),
    change: (page, helpful) =>
      mapItems(page, (one) =>
        one.id === review.id ? { ...one, helpful, helpful_count: one.helpful_count + (helpful ? 1 : -1) } : one,
      ),
  });
}

/** Deletes the user's own review. */
export function useDeleteReview(list: ReviewsKey, review: Review, onDone: () => void) {
  return useReviewChange<void>(list, {
    send: () => feather.models.reviews.delete(list.id, review.id),
    change: (page) => ({ ...page, mine: null, items: page.items.filter((one) => one.id !== review.id) }),
    onDone,
  });
}

type ReviewInput = { review: string; rating: number; tags: string[] };

/** Creates or replaces the user's review. */
export function useSaveReview(list: ReviewsKey, author: string, onDone: () => void) {
  return useReviewChange(list, {
    send: (input: ReviewInput) => feather.models.reviews.create(list.id, input),
    success: () => t`Review saved`,
    change: (page, input, index) => {
      const now = new Date();
      const previous = page.mine;
      if (previous)
        return mapItems(page, (one) => (one.id === previous.id ? { ...one, ...input, updated_at: now } : one));
      const newReview = { ...UNCONFIRMED, ...input, user: { name: author }, created_at: now, updated_at: now };
      return { ...page, mine: newReview, items: index === 0 ? [newReview, ...page.items] : page.items };
    },
    onDone,
  });
}

const mapItems = (page: ReviewList, change: (review: Review) => Review): ReviewList => ({
  ...page,
  items: page.items.map(change),
});

/** Fields of a review until the server has confirmed it. */
const UNCONFIRMED = { id: "new", helpful_count: 0, helpful: false, verified_caller: false, mine: true };
