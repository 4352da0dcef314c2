import { t } from "@lingui/core/macro";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { feather } from "#/lib/feather.ts";
import { useAdminAction } from "../use-admin-action.ts";

/** Actions on one model. */
export function useModelActions() {
  const runAction = useAdminAction();
  const confirm = useConfirm();

  const redeploy = (id: string) =>
    runAction(() => feather.admin.models.redeploy(id), { title: t`${id} is loaded again` });

  const setDisabled = async (id: string, disabled: boolean): Promise<void> => {
    await runAction(() => feather.admin.models.update(id, { disabled }), {
      title: disabled ? t`${id} is switched off` : t`${id} is switched on`,
      undo: () => void setDisabled(id, !disabled),
    });
  };

  function remove(id: string, onDone?: () => void): void {
    confirm({
      title: t`Delete ${id}`,
      description: t`It leaves the catalogue with its reviews, and nobody can call it. What was used of it stays in the reports. This cannot be undone.`,
      confirmButtonText: t`Delete ${id.slice(id.indexOf("/") + 1)}`,
      destructive: true,
      action: async () => {
        if (await runAction(() => feather.admin.models.delete(id), { title: t`${id} is deleted` })) onDone?.();
      },
    });
  }

  return { redeploy, setDisabled, remove };
}
