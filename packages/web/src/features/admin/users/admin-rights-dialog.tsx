import { t } from "@lingui/core/macro";
import type { z } from "zod";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { ownPasswordFields, ownPasswordSchema } from "./own-password.ts";
import type { UserDialogProps } from "./user-dialog-props.ts";

/** Makes a user an admin, or revokes that. All admins are notified by mail where there is a mail server. */
export function AdminRightsDialog({ user, close, hasPassword }: UserDialogProps & { hasPassword: boolean }) {
  const on = !user.is_admin;
  const sendsMail = useMailDelivery();
  const consequence = on
    ? t`${user.email} may then do everything that you may: read every account, change prices, suspend people.`
    : t`${user.email} loses the admin area at once.`;
  const notice = sendsMail
    ? t`All admins are told by mail.`
    : t`This server sends no mail: the audit log and the outbox tell the other admins.`;
  const change = useAction(
    ({ password }: z.infer<typeof ownPasswordSchema>) =>
      feather.admin.users.update(user.id, { is_admin: on, ...(hasPassword && { password }) }),
    {
      success: () => (on ? t`${user.name} is an admin` : t`${user.name} is no admin any more`),
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  return (
    <FormDialog
      open
      title={on ? t`Make ${user.name} an admin` : t`Take admin away from ${user.name}`}
      description={`${consequence} ${notice}`}
      close={close}
      schema={ownPasswordSchema}
      initial={{ password: "" }}
      fields={ownPasswordFields(hasPassword)}
      submitLabel={on ? t`Make ${user.username} admin` : t`Take it from ${user.username}`}
      destructive={!on}
      submit={change.submit}
    />
  );
}
