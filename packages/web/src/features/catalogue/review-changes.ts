import { isApiError, type Result, type Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useToast } from "#/components/ui/toast.tsx";
import { wordsOf } from "#/lib/fault.ts";
import { feather } from "#/lib/feather.ts";
import { modelQuery, reviewsQuery } from "./queries.ts";

export type Review = Schemas["Review"];
type Page = Result<"models.reviews.list">;
type Deed<V> = {
  send(values: V): Promise<unknown>;
  /** The reviews as they will be. */
  change(reviews: readonly Review[], values: V): Review[];
  /** Is told that the server has done it. */
  done?: () => void;
};

/**
 * A change to the reviews of a model: shown at once, taken back where the server refuses, and read anew when it is done.
 * Changes to the same reviews wait for one another.
 */
function useReviewChange<V>(id: string, { send, change, done }: Deed<V>) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    scope: { id: `reviews of ${id}` },
    mutationFn: send,
    onMutate: async (values: V) => {
      const { queryKey } = reviewsQuery(id);
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<Page>(queryKey);
      client.setQueryData<Page>(queryKey, (page) => page && { ...page, items: change(page.items, values) });
      return before;
    },
    onSuccess: () => done?.(),
    onError: (error, _values, before) => {
      client.setQueryData<Page>(reviewsQuery(id).queryKey, before);
      toast({ title: t`That did not work`, description: faultWords(error), variant: "destructive" });
    },
    onSettled: () => readAgain(client, id),
  });
}

const readAgain = (client: QueryClient, id: string) =>
  Promise.all([reviewsQuery(id), modelQuery(id)].map(({ queryKey }) => client.invalidateQueries({ queryKey })));

const faultWords = (error: unknown): string =>
  isApiError(error) ? wordsOf(error) : t`The server cannot be reached. Try again in a moment.`;

export function useHelpful(id: string, review: Review) {
  return useReviewChange(id, {
    send: async (helpful: boolean) => feather.models.reviews.helpful(id, review.id, { helpful }),
    change: (reviews, helpful) =>
      reviews.map((one) =>
        one.id === review.id ? { ...one, helpful, helpful_count: one.helpful_count + (helpful ? 1 : -1) } : one,
      ),
  });
}

/** Deletes the reader's own review. */
export function useTakeBack(id: string, review: Review, done: () => void) {
  return useReviewChange<void>(id, {
    send: async () => feather.models.reviews.delete(id, review.id),
    change: (reviews) => reviews.filter((one) => one.id !== review.id),
    done,
  });
}

type Words = { review: string; rating: number };

/** Writes the reader's review, or writes it anew. */
export function useWriting(id: string, author: string, done: () => void) {
  return useReviewChange(id, {
    send: async (words: Words) => feather.models.reviews.create(id, { ...words, tags: [] }),
    change: (reviews, words) => {
      const now = new Date();
      const mine = reviews.find((one) => one.mine);
      if (mine) return reviews.map((one) => (one === mine ? { ...mine, ...words, updated_at: now } : one));
      return [{ ...UNSEEN, ...words, user: { name: author }, created_at: now, updated_at: now }, ...reviews];
    },
    done,
  });
}

/** A review that the server has not answered for yet. */
const UNSEEN = { id: "new", tags: [], helpful_count: 0, helpful: false, verified_caller: false, mine: true };
