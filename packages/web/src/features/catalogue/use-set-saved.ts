import { t } from "@lingui/core/macro";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useToast } from "#/components/ui/toast.tsx";
import type { Model } from "#/entities/models/queries.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";

type Change = { id: string; saved: boolean };
type List = { items: readonly Model[] };

const LIST_QUERY_KEY = ["models"];
const MODEL_QUERY_KEY = ["model"];

/** Returns a function that saves or unsaves a model: shown at once, with an undo, and rolled back on an error. */
export function useSetSaved(): (change: Change) => void {
  const client = useQueryClient();
  const toast = useToast();
  const { mutate } = useMutation({
    // Serialized, so that the last change wins.
    scope: { id: "saved-models" },
    mutationFn: async ({ id, saved }: Change) => (saved ? feather.models.favorite(id) : feather.models.unfavorite(id)),
    onMutate: ({ id, saved }) => updateCache(client, id, saved),
    onSuccess: (_answer, { id, saved }) => {
      const { dismiss } = toast({
        title: saved ? t`Saved` : t`No longer saved`,
        description: id,
        action: {
          label: t`Undo`,
          run: () => {
            dismiss();
            mutate({ id, saved: !saved });
          },
        },
      });
    },
    onError: (error, { id, saved }) => {
      updateCache(client, id, !saved);
      toast({
        title: saved ? t`${id} could not be saved` : t`${id} is still saved`,
        description: errorMessage(error),
        variant: "destructive",
      });
    },
    // Only lists of saved models gain or lose an item; other lists are updated in place.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => isSavedFilterQuery(queryKey) }),
  });
  return mutate;
}

const isSavedFilterQuery = ([name, filters]: readonly unknown[]): boolean =>
  name === LIST_QUERY_KEY[0] && typeof filters === "object" && filters !== null && "saved" in filters;

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
