import type { ApiKey, ApiKeyUpdate, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { countPlanUnits } from "./count-plan-units.ts";
import { KeyForm } from "./form/key-form.tsx";
import { KeyFormDialog } from "./form/key-form-dialog.tsx";
import { toChanges, toFormValues } from "./form/key-form-values.ts";
import { getLoosenRefusal } from "./key-permissions.ts";
import { listScopeOptions } from "./scopes.ts";

type EditKeyProps = {
  /** The key to change; null closes the dialog. */
  apiKey: ApiKey | null;
  user: User;
  close(): void;
  /** Receives the changed fields. */
  update(key: ApiKey, changes: ApiKeyUpdate): Promise<unknown>;
};

/** A dialog that changes a key. */
export function EditKeyDialog({ apiKey, user, close, update }: EditKeyProps) {
  const [lastKey, setLastKey] = useState(apiKey);
  if (apiKey !== null && apiKey !== lastKey) setLastKey(apiKey);
  const loosenRefusal = apiKey === null ? null : getLoosenRefusal(user, apiKey);
  return (
    <KeyFormDialog open={apiKey !== null} close={close} title={t`Edit “${lastKey?.name ?? ""}”`}>
      {(onDirtyChange, now) =>
        apiKey === null ? null : (
          <KeyForm
            initial={toFormValues(apiKey)}
            expiresAt={apiKey.expires_at}
            scopes={listScopeOptions(user, apiKey)}
            units={countPlanUnits(user)}
            now={now}
            showLimits
            note={loosenRefusal === null ? undefined : t`You may set tighter limits. Lift them: ${loosenRefusal}`}
            submitLabel={t`Save`}
            toBody={(values) => toChanges(values, apiKey, now)}
            save={(changes) => update(apiKey, changes)}
            cancel={close}
            onDirtyChange={onDirtyChange}
          />
        )
      }
    </KeyFormDialog>
  );
}
