import { t } from "@lingui/core/macro";
import { z } from "zod";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { parseNumber, requiredInteger } from "../forms/field-schemas.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { GrantEffect } from "./grant-effect.tsx";
import type { UserDialogProps } from "./user-dialog-props.ts";

const planGrantSchema = z.object({
  plan_id: z.string().min(1, { error: t`Plan is not valid.` }),
  quantity: requiredInteger(t`Quantity`, { min: 1, max: 1000 }),
});

/** Grants a plan without payment. */
export function PlanDialog({
  user,
  close,
  plans,
}: UserDialogProps & { plans: readonly { id: string; name: string }[] }) {
  const nameOf = (planId: string) => plans.find(({ id }) => id === planId)?.name ?? planId;
  const grant = useAction(
    ({ plan_id, quantity }: { plan_id: string; quantity: number }) =>
      feather.admin.users.update(user.id, { plan_id, ...(quantity !== 1 && { quantity }) }),
    {
      success: (_, { plan_id }) => t`${user.name} is on ${nameOf(plan_id)}`,
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  return (
    <FormDialog
      open
      title={t`Plan of ${user.name}`}
      description={t`The plan holds at once for the organization of this user, without payment.`}
      close={close}
      schema={planGrantSchema}
      initial={{ plan_id: user.plan_id, quantity: "1" }}
      fields={[
        {
          name: "plan_id",
          label: t`Plan`,
          kind: "choice",
          options: plans.map(({ id, name }) => ({ value: id, label: `${name} (${id})` })),
        },
        {
          name: "quantity",
          label: t`Quantity`,
          inputMode: "numeric",
          hint: t`More than 1 only for plans by the unit.`,
        },
      ]}
      renderSummary={() => <GrantEffect user={user} />}
      submitLabel={t`Grant the plan`}
      submit={({ plan_id, quantity }) => grant.submit({ plan_id, quantity: parseNumber(quantity) ?? 1 })}
    />
  );
}
