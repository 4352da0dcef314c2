import { t } from "@lingui/core/macro";
import { z } from "zod";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { requiredText } from "../forms/field-schemas.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { ownPasswordFields } from "./own-password.ts";
import type { UserDialogProps } from "./user-dialog-props.ts";

const suspendSchema = z.object({
  reason: requiredText(t`Reason`, { min: 3, max: 500 }),
  password: z.string().max(1000),
});

/** Suspends a user, with a reason: their sessions end and their keys stop working at once. An admin needs the password. */
export function SuspendDialog({ user, close, hasPassword }: UserDialogProps & { hasPassword: boolean }) {
  const needsPassword = user.is_admin && hasPassword;
  const suspend = useAction(
    ({ reason, password }: z.infer<typeof suspendSchema>) =>
      feather.admin.users.update(user.id, {
        suspended: true,
        reason: reason.trim(),
        ...(needsPassword && { password }),
      }),
    { success: () => t`${user.name} is suspended`, invalidates: ADMIN_QUERY_KEYS },
  );
  return (
    <FormDialog
      open
      title={t`Suspend ${user.name}`}
      description={t`Every session of this account ends and its keys stop at once. Nothing is deleted: you can let them in again.`}
      close={close}
      schema={suspendSchema}
      initial={{ reason: "", password: "" }}
      fields={[
        { name: "reason", label: t`Reason`, kind: "text", rows: 3, hint: t`Stands in the audit log.` },
        ...ownPasswordFields(needsPassword),
      ]}
      submitLabel={t`Suspend ${user.username}`}
      destructive
      submit={suspend.submit}
    />
  );
}
