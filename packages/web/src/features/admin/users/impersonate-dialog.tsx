import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { z } from "zod";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { requiredText } from "../forms/field-schemas.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import type { UserDialogProps } from "./user-dialog-props.ts";

const impersonateSchema = z.object({
  reason: requiredText(t`Reason`, { min: 3, max: 500 }),
  password: z.string().max(128),
});

/** Impersonates a user, with a reason. The password is requested only if the server requires it. */
export function ImpersonateDialog({ user, close, onStarted }: UserDialogProps & { onStarted(): Promise<void> }) {
  const [needsPassword, setNeedsPassword] = useState(false);
  const impersonation = useAction(
    ({ reason, password }: z.infer<typeof impersonateSchema>) =>
      feather.admin.users.impersonate(user.id, { reason: reason.trim(), ...(password !== "" && { password }) }),
    { onSuccess: onStarted },
  );
  async function start(values: z.infer<typeof impersonateSchema>): Promise<void> {
    try {
      await impersonation.submit(values);
    } catch (error) {
      if (isApiError(error) && error.code === "recent_sign_in_required")
        setNeedsPassword(error.details.method !== "sign_in");
      throw error;
    }
  }
  return (
    <FormDialog
      open
      title={t`Act as ${user.name}`}
      description={t`You see the site as they do, for 30 minutes at most. You can look, and change nothing. Every request stands in the audit log with both names.`}
      close={close}
      schema={impersonateSchema}
      initial={{ reason: "", password: "" }}
      fields={[
        { name: "reason", label: t`Reason`, hint: t`Such as the number of a ticket. It stands in the audit log.` },
        ...(needsPassword
          ? [
              {
                name: "password" as const,
                label: t`Your own password`,
                type: "password",
                autoComplete: "current-password",
                hint: t`Your login is more than 15 minutes ago.`,
              },
            ]
          : []),
      ]}
      submitLabel={t`Act as ${user.username}`}
      submit={start}
    />
  );
}
