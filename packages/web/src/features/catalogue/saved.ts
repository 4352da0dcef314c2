import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useToast } from "#/components/ui/toast.tsx";
import { wordsOf } from "#/lib/fault.ts";
import { feather } from "#/lib/feather.ts";
import type { Model } from "./queries.ts";

type Change = { id: string; saved: boolean };
type List = { items: readonly Model[] };

const LISTS = ["models"];
const PAGES = ["model"];

/** Returns a function that saves or unsaves a model: shown at once, with an undo, and rolled back on an error. */
export function useSaving(): (change: Change) => void {
  const client = useQueryClient();
  const toast = useToast();
  const { mutate } = useMutation({
    // Serialized, so that the last change wins.
    scope: { id: "saved-models" },
    mutationFn: async ({ id, saved }: Change) => (saved ? feather.models.favorite(id) : feather.models.unfavorite(id)),
    onMutate: ({ id, saved }) => show(client, id, saved),
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
      show(client, id, !saved);
      toast({
        title: saved ? t`${id} could not be saved` : t`${id} is still saved`,
        description: isApiError(error) ? wordsOf(error) : t`The server cannot be reached. Try again in a moment.`,
        variant: "destructive",
      });
    },
    // Only lists of saved models gain or lose an item; other lists are updated in place.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => listsSaved(queryKey) }),
  });
  return mutate;
}

const listsSaved = ([name, filters]: readonly unknown[]): boolean =>
  name === LISTS[0] && typeof filters === "object" && filters !== null && "saved" in filters;

/** Updates the model in every cached query. */
function show(client: QueryClient, id: string, saved: boolean): void {
  const changed = (model: Model): Model =>
    model.id !== id || model.is_favorite === saved
      ? model
      : { ...model, is_favorite: saved, favorites: Math.max(0, model.favorites + (saved ? 1 : -1)) };
  client.setQueriesData<List>({ queryKey: LISTS }, (list) => list && { ...list, items: list.items.map(changed) });
  client.setQueriesData<Model>({ queryKey: PAGES }, (model) => model && changed(model));
}
