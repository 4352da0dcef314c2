import type { ApiKey, ApiKeyCreate, ApiKeyUpdate, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type ReactNode, useState } from "react";
import { Dialog } from "#/components/ui/dialog.tsx";
import { countPlanUnits } from "./count-plan-units.ts";
import { KeyForm } from "./key-form.tsx";
import { NEW_KEY_VALUES, toChanges, toFormValues, toNewKey } from "./key-form-values.ts";
import { getLoosenRefusal } from "./key-permissions.ts";
import { listScopeOptions } from "./scopes.ts";

type NewKeyProps = {
  open: boolean;
  user: User;
  close(): void;
  create(key: ApiKeyCreate): Promise<unknown>;
};

/** A dialog that makes a key. */
export function NewKeyDialog({ open, user, close, create }: NewKeyProps) {
  return (
    <FormDialog open={open} close={close} title={t`New key`}>
      {(onDirtyChange, now) => (
        <KeyForm
          initial={NEW_KEY_VALUES}
          expiresAt={null}
          scopes={listScopeOptions(user, null)}
          units={countPlanUnits(user)}
          now={now}
          showLimits={false}
          submitLabel={t`Make the key`}
          toBody={(values) => toNewKey(values, now)}
          save={create}
          cancel={close}
          onDirtyChange={onDirtyChange}
        />
      )}
    </FormDialog>
  );
}

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
    <FormDialog open={apiKey !== null} close={close} title={t`Edit “${lastKey?.name ?? ""}”`}>
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
    </FormDialog>
  );
}

type FormDialogProps = {
  open: boolean;
  close(): void;
  title: string;
  children(onDirtyChange: (isDirty: boolean) => void, now: Date): ReactNode;
};

/** A dialog with a form. Once something was changed, Escape and clicks outside no longer close it. */
function FormDialog({ open, close, title, children }: FormDialogProps) {
  const [isDirty, setDirty] = useState(false);
  return (
    <Dialog open={open} onClose={close} title={title} dismissible={!isDirty}>
      {open ? <FormWithTime render={(now) => children(setDirty, now)} /> : null}
    </Dialog>
  );
}

/** Keeps the time at which a form was opened. */
function FormWithTime({ render }: { render(now: Date): ReactNode }) {
  const [now] = useState(() => new Date());
  return render(now);
}
