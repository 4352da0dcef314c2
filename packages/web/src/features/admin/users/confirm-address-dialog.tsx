import { t } from "@lingui/core/macro";
import type { z } from "zod";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { ownPasswordFields, ownPasswordSchema } from "./own-password.ts";
import type { UserDialogProps } from "./user-dialog-props.ts";

/** Confirms the e-mail address of a user in the admin's name. */
export function ConfirmAddressDialog({ user, close, hasPassword }: UserDialogProps & { hasPassword: boolean }) {
  const confirmation = useAction(
    ({ password }: z.infer<typeof ownPasswordSchema>) =>
      feather.admin.users.update(user.id, { email_verified: true, ...(hasPassword && { password }) }),
    { success: () => t`${user.email} is confirmed`, invalidates: ADMIN_QUERY_KEYS },
  );
  return (
    <FormDialog
      open
      title={t`Confirm the e-mail of ${user.name}`}
      description={t`Do this only if you know that ${user.email} is theirs: whoever holds the account then counts as its owner.`}
      close={close}
      schema={ownPasswordSchema}
      initial={{ password: "" }}
      fields={ownPasswordFields(hasPassword)}
      submitLabel={t`Confirm the e-mail`}
      submit={confirmation.submit}
    />
  );
}
