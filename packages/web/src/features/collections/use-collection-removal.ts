import type { Collection } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { collectionsQuery } from "./queries.ts";

/** Returns what deletes a collection after a question. `removed` runs once it is deleted. */
export function useCollectionRemoval(removed: () => void = () => {}): (collection: Collection) => void {
  const confirm = useConfirm();
  const removal = useAction(({ id }: Collection) => feather.collections.delete(id), {
    success: (_, { name }) => t`${name} is deleted`,
    // Only the list: the collection itself and its documents cannot be read any more.
    invalidates: [collectionsQuery.queryKey],
    onSuccess: removed,
  });
  return (collection) =>
    confirm({
      title: t`Delete ${collection.name}?`,
      description: plural(collection.documents, {
        one: "Its document, with passages and vectors, cannot be brought back. Chats keep the passages that were sent.",
        other:
          "Its # documents, with passages and vectors, cannot be brought back. Chats keep the passages that were sent.",
      }),
      confirmButtonText: t`Delete the collection`,
      destructive: true,
      action: async () => void (await removal.run(collection)),
    });
}
