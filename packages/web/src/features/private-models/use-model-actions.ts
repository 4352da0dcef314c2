import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { type PrivateModel, privateModelsQuery } from "#/entities/models/private-model-queries.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import type { AddModelValues } from "./compatibility-rules.ts";
import type { ModelActions } from "./model-list.tsx";

/** Returns the actions on private models. Loading and unloading are shown at once; deleting asks for confirmation. */
export function useModelActions(): ModelActions & { add(draft: AddModelValues): Promise<void> } {
  const client = useQueryClient();
  const toast = useToast();
  const confirm = useConfirm();
  const { queryKey } = privateModelsQuery;
  const refresh = () => client.invalidateQueries({ queryKey });
  const showError = (error: unknown) => toast({ title: errorMessage(error), variant: "destructive" });

  /** Shows the expected state until the server has responded. */
  async function optimisticUpdate(
    model: PrivateModel,
    state: PrivateModel["state"],
    call: () => Promise<PrivateModel>,
  ) {
    const updateCache = (now: PrivateModel) =>
      client.setQueryData(queryKey, (models) => models?.map((one) => (one.id === now.id ? now : one)));
    await client.cancelQueries({ queryKey });
    updateCache({ ...model, state, progress: null, error: null });
    try {
      updateCache(await call());
      return true;
    } catch (error) {
      updateCache(model);
      showError(error);
      return false;
    } finally {
      void refresh();
    }
  }

  async function load(model: PrivateModel): Promise<void> {
    const { id, revision, name } = model;
    const isLoading = await optimisticUpdate(model, "queued", async () =>
      feather.privateModels.create(id, { revision, name }),
    );
    if (isLoading) toast({ title: t`${id} is being loaded` });
  }

  async function unload(model: PrivateModel): Promise<void> {
    const isUnloading = await optimisticUpdate(model, "unloading", async () => feather.privateModels.unload(model.id));
    if (isUnloading)
      toast({ title: t`${model.id} is unloaded`, action: { label: t`Load again`, run: () => void load(model) } });
  }

  function remove({ id }: PrivateModel): void {
    confirm({
      title: t`Delete ${id}`,
      description: t`It is unloaded and its file here is deleted. Calls to it fail at once. The repository on the hub stays.`,
      confirmButtonText: t`Delete ${id}`,
      destructive: true,
      action: async () => {
        try {
          await feather.privateModels.delete(id);
          client.setQueryData(queryKey, (models) => models?.filter((one) => one.id !== id));
          toast({ title: t`${id} is deleted` });
        } catch (error) {
          showError(error);
        }
        await refresh();
      },
    });
  }

  return {
    load: (model) => void load(model),
    unload: (model) => void unload(model),
    remove,
    async add({ id, revision, token }) {
      const added = await feather.privateModels.create(id.trim(), {
        ...(revision.trim() !== "" && { revision: revision.trim() }),
        ...(token.trim() !== "" && { hf_token: token.trim() }),
      });
      client.setQueryData(queryKey, (models) => [added, ...(models ?? []).filter((one) => one.id !== added.id)]);
      toast({ title: t`${added.id} is being loaded` });
      void refresh();
    },
  };
}
