import type { Backend, BackendKey } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { parseNumber, requiredInteger, requiredText } from "../../forms/field-schemas.ts";
import { isEditable } from "../backend-labels.ts";
import { KeyList } from "./key-list.tsx";

const MAX_KEYS = 20;

const keySchema = z.object({
  key: requiredText(t`Key`, { max: 4000 }),
  label: z.string().max(64, { error: t`Label may have at most 64 characters.` }),
  weight: requiredInteger(t`Weight`, { min: 1, max: 1000 }),
});
type KeyValues = z.infer<typeof keySchema>;

/** The keys of a backend: which of them rest, adding one and removing one. */
export function BackendKeysDialog({ backend, close }: { backend: Backend; close(): void }) {
  const { keys, name } = backend;
  const { add, remove } = useKeyActions(backend);
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
        <KeyList keys={keys} remove={isEditable(backend) ? remove : undefined} />
      )}
      {!isEditable(backend) ? (
        <p className="small muted mt-4">{t`These keys stand in the settings: "api_keys" in FEATHER_BACKENDS.`}</p>
      ) : keys.length < MAX_KEYS ? (
        <div className="mt-6">
          <Form
            key={keys.length} // empties the form once the key is there
            schema={keySchema}
            initial={{ key: "", label: "", weight: "1" }}
            fields={[
              { name: "key", label: t`Key`, type: "password", autoComplete: "off" },
              {
                name: "label",
                label: t`Label`,
                autoComplete: "off",
                hint: t`What you call it; a number if this is empty.`,
              },
              {
                name: "weight",
                label: t`Weight`,
                inputMode: "numeric",
                hint: t`Its share of the calls beside the others.`,
              },
            ]}
            submitLabel={t`Add the key`}
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
    ({ key, label, weight }: KeyValues) =>
      feather.admin.backends.addKey(id, {
        key: key.trim(),
        ...(label.trim() !== "" && { label: label.trim() }),
        weight: parseNumber(weight) ?? 1,
      }),
    { success: ({ label }) => t`${label} is added`, invalidates: ADMIN_QUERY_KEYS },
  );
  const removal = useAction((key: BackendKey) => feather.admin.backends.removeKey(id, key.id), {
    success: (_, { label }) => t`${label} is removed`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return {
    add: (values: KeyValues) => adding.submit(values),
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
