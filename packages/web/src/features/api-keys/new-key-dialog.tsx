import type { ApiKeyCreate, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { countPlanUnits } from "./count-plan-units.ts";
import { KeyForm } from "./form/key-form.tsx";
import { KeyFormDialog } from "./form/key-form-dialog.tsx";
import { NEW_KEY_VALUES, toNewKey } from "./form/key-form-values.ts";
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
    <KeyFormDialog open={open} close={close} title={t`New key`}>
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
    </KeyFormDialog>
  );
}
