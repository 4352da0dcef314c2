import type { SecondFactorResetRequest } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import { requiredText } from "../forms/field-schemas.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { ownPasswordFields } from "./own-password.ts";
import type { UserDialogProps } from "./user-dialog-props.ts";

const resetFactorSchema = z.object({
  reason: requiredText(t`Reason`, { min: 3, max: 500 }),
  password: z.string().max(1000),
});

/** Removes the lost second factor of a user. */
export function ResetFactorDialog({ user, close, hasPassword }: UserDialogProps & { hasPassword: boolean }) {
  const sendsMail = useMailDelivery();
  const reset = useAction((body: SecondFactorResetRequest) => feather.admin.users.resetSecondFactor(user.id, body), {
    success: () => t`${user.name} has no second factor any more`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <FormDialog
      open
      title={t`Reset the second factor of ${user.name}`}
      description={
        sendsMail
          ? t`Make sure that it is really them who asks. Their sessions end, and they log in without one from then on. They are told by mail, with the reason.`
          : t`Make sure that it is really them who asks. Their sessions end, and they log in without one from then on. There is no mail server, so nobody tells them: do it yourself.`
      }
      close={close}
      schema={resetFactorSchema}
      initial={{ reason: "", password: "" }}
      fields={[
        { name: "reason", label: t`Reason`, hint: t`Stands in the audit log and in the message.` },
        ...ownPasswordFields(hasPassword),
      ]}
      submitLabel={t`Reset it`}
      destructive
      submit={({ reason, password }) => reset.submit({ reason: reason.trim(), ...(hasPassword && { password }) })}
    />
  );
}
