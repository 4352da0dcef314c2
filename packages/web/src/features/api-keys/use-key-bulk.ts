import { plural, t } from "@lingui/core/macro";
import { runForEach } from "#/components/list/bulk/run-for-each.ts";
import type { Selection } from "#/components/list/bulk/selection.ts";
import { useBulkAction } from "#/components/list/bulk/use-bulk-action.ts";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";

const KEY_QUERY_KEYS = [queries.apiKeys.key()];

/** Switches the selected keys off, or deletes them after a question. Those for which it failed stay selected. */
export function useKeyBulk(selection: Selection) {
  const confirm = useConfirm();
  const switching = useBulkAction(
    (ids) => runForEach(ids, (id) => feather.apiKeys.update(id, { disabled: true })),
    KEY_QUERY_KEYS,
    selection,
  );
  const removal = useBulkAction(
    (ids) => runForEach(ids, (id) => feather.apiKeys.delete(id)),
    KEY_QUERY_KEYS,
    selection,
  );
  const remove = (ids: readonly string[]) =>
    confirm({
      title: plural(ids.length, { one: "Delete # key", other: "Delete # keys" }),
      description: t`Programs that use these keys stop working at once. This cannot be undone.`,
      confirmButtonText: t`Delete them`,
      destructive: true,
      action: () => removal.run(ids),
    });
  return { switching, removal: { ...removal, run: remove } };
}
