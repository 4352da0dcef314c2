import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { matchQuery, type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";

type Change = { id: string; saved: boolean };
type List = { items: readonly Model[] };

const LIST_QUERY_KEY = queries.models.list.key();
const MODEL_QUERY_KEY = queries.models.get.key();

/** Returns a function that saves or unsaves a model: shown at once, with an undo, and rolled back on an error. */
export function useSetSaved(): (change: Change) => void {
  const client = useQueryClient();
  const { run } = useAction<Change, unknown>(
    ({ id, saved }) => (saved ? feather.models.favorite(id) : feather.models.unfavorite(id)),
    {
      // One after the other, so that the last change wins.
      scope: "saved-models",
      optimistic: (_, { id, saved }) => {
        updateCache(client, id, saved);
        return () => updateCache(client, id, !saved);
      },
      success: (_, { id, saved }) => ({ title: saved ? t`Saved` : t`No longer saved`, description: id }),
      undo:
        (undo, { id, saved }) =>
        () =>
          undo({ id, saved: !saved }),
      describeError: (error, { id, saved }) => ({
        title: saved ? t`${id} could not be saved` : t`${id} is still saved`,
        description: errorMessage(error),
      }),
      // Only lists of saved models gain or lose an item; other lists are updated in place.
      invalidates: () =>
        client
          .getQueryCache()
          .findAll({ predicate: isSavedFilterQuery })
          .map((query) => query.queryKey),
    },
  );
  return (change) => void run(change);
}

const isSavedFilterQuery = (query: Query): boolean => {
  const filters = query.queryKey[LIST_QUERY_KEY.length];
  return (
    matchQuery({ queryKey: LIST_QUERY_KEY }, query) &&
    typeof filters === "object" &&
    filters !== null &&
    "saved" in filters
  );
};

/** Updates the model in every cached query. */
function updateCache(client: QueryClient, id: string, saved: boolean): void {
  const update = (model: Model): Model =>
    model.id !== id || model.is_favorite === saved
      ? model
      : { ...model, is_favorite: saved, favorites: Math.max(0, model.favorites + (saved ? 1 : -1)) };
  client.setQueriesData<List>(
    { queryKey: LIST_QUERY_KEY },
    (list) => list && { ...list, items: list.items.map(update) },
  );
  client.setQueriesData<Model>({ queryKey: MODEL_QUERY_KEY }, (model) => model && update(model));
}
