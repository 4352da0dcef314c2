import { isApiError, type Result, type Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useToast } from "#/components/ui/toast.tsx";
import { wordsOf } from "#/lib/fault.ts";
import { feather } from "#/lib/feather.ts";
import { modelQuery, type ReviewSort, reviewsQuery } from "./queries.ts";

/** A review of a model. */
export type Review = Schemas["Review"];
/** A model's reviews in one order: what identifies the query. */
export type ReviewList = { id: string; sort: ReviewSort };
type Page = Result<"models.reviews.list">;
type Pages = InfiniteData<Page>;
type Deed<V> = {
  send(values: V): Promise<unknown>;
  /** Returns a page of reviews after the change. */
  change(page: Page, values: V, index: number): Page;
  /** Called when the server has confirmed the change. */
  done?: () => void;
};

/**
 * An optimistic change to the reviews of a model: rolled back on an error and refetched afterwards. Changes to the same
 * model's reviews run one after the other.
 */
function useReviewChange<V>({ id, sort }: ReviewList, { send, change, done }: Deed<V>) {
  const client = useQueryClient();
  const toast = useToast();
  const { queryKey } = reviewsQuery(id, sort);
  return useMutation({
    scope: { id: `reviews of ${id}` },
    mutationFn: send,
    onMutate: async (values: V) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<Pages>(queryKey);
      client.setQueryData<Pages>(
        queryKey,
        (data) => data && { ...data, pages: data.pages.map((page, index) => change(page, values, index)) },
      );
      return before;
    },
    onSuccess: () => done?.(),
    onError: (error, _values, before) => {
      client.setQueryData<Pages>(queryKey, before);
      toast({ title: t`That did not work`, description: faultWords(error), variant: "destructive" });
    },
    onSettled: () => readAgain(client, id),
  });
}

const readAgain = (client: QueryClient, id: string) =>
  Promise.all([["reviews", id], modelQuery(id).queryKey].map((queryKey) => client.invalidateQueries({ queryKey })));

const faultWords = (error: unknown): string =>
  isApiError(error) ? wordsOf(error) : t`The server cannot be reached. Try again in a moment.`;

/** Marks a review as helpful, or removes the mark. */
export function useHelpful(list: ReviewList, review: Review) {
  return useReviewChange(list, {
    send: async (helpful: boolean) => feather.models.reviews.helpful(list.id, review.id, { helpful }),
    change: (page, helpful) =>
      withItems(page, (one) =>
        one.id === review.id ? { ...one, helpful, helpful_count: one.helpful_count + (helpful ? 1 : -1) } : one,
      ),
  });
}

/** Deletes the user's own review. */
export function useTakeBack(list: ReviewList, review: Review, done: () => void) {
  return useReviewChange<void>(list, {
    send: async () => feather.models.reviews.delete(list.id, review.id),
    change: (page) => ({ ...page, mine: null, items: page.items.filter((one) => one.id !== review.id) }),
    done,
  });
}

type Words = { review: string; rating: number; tags: string[] };

/** Creates or replaces the user's review. */
export function useWriting(list: ReviewList, author: string, done: () => void) {
  return useReviewChange(list, {
    send: async (words: Words) => feather.models.reviews.create(list.id, words),
    change: (page, words, index) => {
      const now = new Date();
      const before = page.mine;
      if (before) return withItems(page, (one) => (one.id === before.id ? { ...one, ...words, updated_at: now } : one));
      const written = { ...UNSEEN, ...words, user: { name: author }, created_at: now, updated_at: now };
      return { ...page, mine: written, items: index === 0 ? [written, ...page.items] : page.items };
    },
    done,
  });
}

const withItems = (page: Page, change: (review: Review) => Review): Page => ({
  ...page,
  items: page.items.map(change),
});

/** Fields of a review until the server has confirmed it. */
const UNSEEN = { id: "new", helpful_count: 0, helpful: false, verified_caller: false, mine: true };
