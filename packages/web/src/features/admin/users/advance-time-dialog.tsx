import { t } from "@lingui/core/macro";
import { z } from "zod";
import { formatLongDate } from "#/entities/plans/subscription-labels.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { parseNumber, requiredInteger } from "../forms/field-schemas.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { TestClockNote } from "./test-clock-note.tsx";
import type { UserDialogProps } from "./user-dialog-props.ts";

const advanceSchema = z.object({ days: requiredInteger(t`Days`, { min: 1, max: 92 }) });

/** Advances the time of a user's organization in billing, while payments are tests. */
export function AdvanceTimeDialog({ user, close }: UserDialogProps) {
  const advance = useAction((days: number, options) => feather.admin.users.advanceTime(user.id, { days }, options), {
    success: ({ time }) => t`It is ${formatLongDate(new Date(time))} for ${user.name}`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <FormDialog
      open
      title={t`Time of ${user.name}`}
      description={t`Payments are tests here, so that you can see what billing does in the weeks to come: trials end, periods begin, invoices are collected, and mails are sent, day by day. Time cannot be moved back.`}
      close={close}
      schema={advanceSchema}
      initial={{ days: "31" }}
      fields={[
        {
          name: "days",
          label: t`Days`,
          inputMode: "numeric",
          hint: t`1 to 92. Units, budgets, keys and sessions stay on the server's time.`,
        },
      ]}
      renderSummary={() => <TestClockNote user={user} />}
      submitLabel={t`Advance the time`}
      submit={({ days }) => advance.submit(parseNumber(days) ?? 1)}
    />
  );
}
