import type { PrivateModel } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { privateModelsQuery } from "#/entities/models/private-model-queries.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import type { AddModelValues } from "./compatibility-rules.ts";
import type { ModelActions } from "./model-list.tsx";

/** Returns the actions on private models. Loading and unloading are shown at once; deleting asks for confirmation. */
export function useModelActions(): ModelActions & { add(draft: AddModelValues): Promise<unknown> } {
  const confirm = useConfirm();
  const client = useQueryClient();
  const showModel = (model: PrivateModel) => updateList(client, (models) => replaceById(models, model));
  const loading = useAction(
    ({ id, revision, name }: PrivateModel) => feather.privateModels.create(id, { revision, name }),
    {
      optimistic: (_, model) => showState(client, model, "queued"),
      success: (_, { id }) => t`${id} is being loaded`,
      onSuccess: showModel,
      invalidates: [privateModelsQuery.queryKey],
    },
  );
  const unloading = useAction(({ id }: PrivateModel) => feather.privateModels.unload(id), {
    optimistic: (_, model) => showState(client, model, "unloading"),
    success: (_, { id }) => t`${id} is unloaded`,
    undo: (_, model) => () => void loading.run(model),
    undoLabel: t`Load again`,
    onSuccess: showModel,
    invalidates: [privateModelsQuery.queryKey],
  });
  const removal = useAction((id: string) => feather.privateModels.delete(id), {
    success: (_, id) => t`${id} is deleted`,
    onSuccess: (_, id) => updateList(client, (models) => models.filter((one) => one.id !== id)),
    invalidates: [privateModelsQuery.queryKey],
  });
  const addition = useAction(
    ({ id, revision, token }: AddModelValues) =>
      feather.privateModels.create(id.trim(), {
        ...(revision.trim() !== "" && { revision: revision.trim() }),
        ...(token.trim() !== "" && { hf_token: token.trim() }),
      }),
    {
      success: ({ id }) => t`${id} is being loaded`,
      onSuccess: (added) => updateList(client, (models) => [added, ...models.filter((one) => one.id !== added.id)]),
      invalidates: [privateModelsQuery.queryKey],
    },
  );

  function remove({ id }: PrivateModel): void {
    confirm({
      title: t`Delete ${id}`,
      description: t`It is unloaded and its file here is deleted. Calls to it fail at once. The repository on the hub stays.`,
      confirmButtonText: t`Delete ${id}`,
      destructive: true,
      action: async () => {
        await removal.run(id);
      },
    });
  }

  return {
    load: (model) => void loading.run(model),
    unload: (model) => void unloading.run(model),
    remove,
    add: addition.submit,
  };
}

function updateList(client: QueryClient, change: (models: PrivateModel[]) => PrivateModel[]): void {
  client.setQueryData(privateModelsQuery.queryKey, (list) => list && { items: change(list.items) });
}

const replaceById = (models: PrivateModel[], model: PrivateModel): PrivateModel[] =>
  models.map((one) => (one.id === model.id ? model : one));

/** Shows a model in another state. Returns a function that restores its earlier state. */
async function showState(client: QueryClient, model: PrivateModel, state: PrivateModel["state"]): Promise<() => void> {
  await client.cancelQueries({ queryKey: privateModelsQuery.queryKey });
  updateList(client, (models) => replaceById(models, { ...model, state, progress: null, error: null }));
  return () => updateList(client, (models) => replaceById(models, model));
}
