import { t } from "@lingui/core/macro";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

/** Actions on one model. */
export function useModelActions() {
  const confirm = useConfirm();
  const redeployment = useAction((id: string) => feather.admin.models.redeploy(id), {
    success: (_, id) => t`${id} is loaded again`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const switching = useAction(
    ({ id, disabled }: { id: string; disabled: boolean }) => feather.admin.models.update(id, { disabled }),
    {
      success: (_, { id, disabled }) => (disabled ? t`${id} is switched off` : t`${id} is switched on`),
      undo:
        (run, { id, disabled }) =>
        () =>
          run({ id, disabled: !disabled }),
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  const removal = useAction((id: string) => feather.admin.models.delete(id), {
    success: (_, id) => t`${id} is deleted`,
    invalidates: ADMIN_QUERY_KEYS,
  });

  function remove(id: string, onDone?: () => void): void {
    confirm({
      title: t`Delete ${id}`,
      description: t`It leaves the catalogue with its reviews, and nobody can call it. What was used of it stays in the reports. This cannot be undone.`,
      confirmButtonText: t`Delete ${id.slice(id.indexOf("/") + 1)}`,
      destructive: true,
      action: async () => {
        if (await removal.run(id)) onDone?.();
      },
    });
  }

  return {
    redeploy: redeployment.run,
    setDisabled: (id: string, disabled: boolean) => switching.run({ id, disabled }),
    remove,
  };
}
