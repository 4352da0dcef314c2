import type { CreditGrantRequest } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { isAmount, parseNanoUsd } from "#/entities/money/amount.ts";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { requiredText } from "../forms/field-schemas.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import type { UserDialogProps } from "./user-dialog-props.ts";

const creditsSchema = z.object({
  amount: z.string().refine(isAmount, { error: t`Amount is not valid: dollars such as 5 or -2.50, not zero.` }),
  reason: requiredText(t`Reason`, { max: 500 }),
});

/** Adds or removes credits. */
export function CreditsDialog({ user, close }: UserDialogProps) {
  const grant = useAction(
    (body: CreditGrantRequest, options) => feather.admin.users.grantCredits(user.id, body, options),
    {
      success: ({ available_nano_usd }) => t`${user.name} now has ${formatNanoUsd(available_nano_usd)}`,
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  return (
    <FormDialog
      open
      title={t`Credits of ${user.name}`}
      description={t`Credits pay for metered requests of the whole organization of this user.`}
      close={close}
      schema={creditsSchema}
      initial={{ amount: "", reason: "" }}
      fields={[
        {
          name: "amount",
          label: t`Amount in dollars`,
          inputMode: "decimal",
          hint: t`Below zero takes credits away, never more than are there.`,
        },
        { name: "reason", label: t`Reason`, hint: t`The organization reads it in its transactions.` },
      ]}
      submitLabel={t`Book the credits`}
      submit={({ amount, reason }) =>
        grant.submit({ amount_nano_usd: parseNanoUsd(amount) ?? "0", reason: reason.trim() })
      }
    />
  );
}
