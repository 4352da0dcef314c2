import type { Backend, BackendKey } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { parseNumber } from "../../forms/field-schemas.ts";
import { isEditable } from "../backend-labels.ts";
import { type ChangedKeyValues, ChangeKeyForm } from "./change-key-form.tsx";
import { KeyList } from "./key-list.tsx";
import { NewKeyForm, type NewKeyValues } from "./new-key-form.tsx";

const MAX_KEYS = 20;

/** The keys of a backend: which of them rest, adding one, changing one and removing one. */
export function BackendKeysDialog({ backend, close }: { backend: Backend; close(): void }) {
  const { keys, name } = backend;
  const [changedId, setChangedId] = useState<string | null>(null);
  const { add, change, remove } = useKeyActions(backend);
  const changed = keys.find(({ id }) => id === changedId);
  const actions = isEditable(backend) ? { remove, change: ({ id }: BackendKey) => setChangedId(id) } : undefined;
  return (
    <Dialog
      open
      onClose={close}
      title={t`Keys of ${name}`}
      description={t`Calls are spread over all keys by weight. A key that reaches the provider's limit or is refused rests for a while, and the others go on.`}
    >
      {keys.length === 0 ? (
        <p className="muted mt-4">{t`It has no key yet.`}</p>
      ) : (
        <KeyList keys={keys} actions={actions} />
      )}
      {!isEditable(backend) ? (
        <p className="small muted mt-4">{t`These keys stand in the settings: "api_keys" in FEATHER_BACKENDS.`}</p>
      ) : changed ? (
        <div className="mt-6">
          <ChangeKeyForm
            key={changed.id}
            of={changed}
            submit={async (values) => {
              await change(changed, values);
              setChangedId(null);
            }}
            cancel={() => setChangedId(null)}
          />
        </div>
      ) : keys.length < MAX_KEYS ? (
        <div className="mt-6">
          <NewKeyForm
            key={keys.length} // empties the form once the key is there
            submit={add}
          />
        </div>
      ) : null}
    </Dialog>
  );
}

function useKeyActions({ id, name }: Backend) {
  const confirm = useConfirm();
  const adding = useAction(
    ({ key, label, weight }: NewKeyValues) =>
      feather.admin.backends.addKey(id, {
        key: key.trim(),
        ...(label.trim() !== "" && { label: label.trim() }),
        weight: parseNumber(weight) ?? 1,
      }),
    { success: ({ label }) => t`${label} is added`, invalidates: ADMIN_QUERY_KEYS },
  );
  const changing = useAction(
    ({ key, label, weight }: ChangedKeyValues & { key: BackendKey }) =>
      feather.admin.backends.updateKey(id, key.id, { label: label.trim(), weight: parseNumber(weight) ?? 1 }),
    { success: ({ label }) => t`${label} is changed`, invalidates: ADMIN_QUERY_KEYS },
  );
  const removal = useAction((key: BackendKey) => feather.admin.backends.removeKey(id, key.id), {
    success: (_, { label }) => t`${label} is removed`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return {
    add: (values: NewKeyValues) => adding.submit(values),
    change: (key: BackendKey, values: ChangedKeyValues) => changing.submit({ ...values, key }),
    remove(key: BackendKey): void {
      const { label } = key;
      confirm({
        title: t`Remove ${label} from ${name}`,
        description: t`No further call is sent with it. Answers that are being sent go on to their end.`,
        confirmButtonText: t`Remove ${label}`,
        destructive: true,
        action: async () => {
          await removal.run(key);
        },
      });
    },
  };
}
