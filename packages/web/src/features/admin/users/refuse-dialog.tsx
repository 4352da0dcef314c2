import { t } from "@lingui/core/macro";
import { z } from "zod";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import type { UserDialogProps } from "./user-dialog-props.ts";

const refuseSchema = z.object({ reason: z.string().max(500) });

/** Rejects a user whose account waits for approval, which deletes the account. */
export function RefuseDialog({ user, close }: UserDialogProps) {
  const sendsMail = useMailDelivery();
  const refusal = useAction(
    (reason: string) => feather.admin.users.refuse(user.id, reason.trim() === "" ? {} : { reason: reason.trim() }),
    { success: () => t`${user.email} was refused`, invalidates: ADMIN_QUERY_KEYS },
  );
  return (
    <FormDialog
      open
      title={t`Refuse ${user.email}`}
      description={
        sendsMail
          ? t`The account is deleted, and its owner is told by mail. They may ask again.`
          : t`The account is deleted. They may ask again. There is no mail server, so nobody tells them: do it yourself.`
      }
      close={close}
      schema={refuseSchema}
      initial={{ reason: "" }}
      fields={[
        { name: "reason", label: t`Reason`, kind: "text", rows: 3, hint: t`Stands in the message, if you give one.` },
      ]}
      submitLabel={t`Refuse the account`}
      destructive
      submit={({ reason }) => refusal.submit(reason)}
    />
  );
}
