import type { Budget } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form, type FormField } from "#/components/ui/forms/form.tsx";
import { parseBudget, toDollars } from "#/entities/money/budget.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { membersQuery } from "./queries.ts";

/** The value of the choice of members that means the whole organization. */
const ORGANIZATION = "organization";

const schema = z.object({
  owner: z.string(),
  amount: z.string().refine((text) => parseBudget(text) !== null, {
    error: t`Budget is not valid: write dollars, such as 5 or 2.50.`,
  }),
  period: z.enum(["day", "week", "month", "none"]),
  warning: z.string().refine((text) => /^([1-9]\d?|100)$/.test(text.trim()), {
    error: t`Warning is not valid: write a whole number from 1 to 100.`,
  }),
  hard: z.boolean(),
});
type Values = z.infer<typeof schema>;

type Props = {
  /** The budget to change; `new` for another one, null while the dialog is closed. */
  edited: Budget | "new" | null;
  close(): void;
};

/** A dialog that sets a budget. */
export function BudgetDialog({ edited, close }: Props) {
  const { data: members } = useQuery(membersQuery);
  const set = useAction(saveBudget, {
    success: () => t`The budget is set`,
    invalidates: [queries.budgets.key()],
    onSuccess: close,
  });
  const owners = [
    { value: ORGANIZATION, label: t`The organization` },
    ...(members?.items ?? []).map(({ user_id, name }) => ({ value: user_id, label: name })),
  ];
  return (
    <Dialog
      open={edited !== null}
      onClose={close}
      title={edited === "new" ? t`Set a budget` : t`Change the budget`}
      description={t`What calls have cost in the current period counts already, unless it is for all time.`}
    >
      {edited === null ? null : (
        <div className="mt-4">
          <Form
            schema={schema}
            initial={toValues(edited)}
            fields={
              edited === "new"
                ? [{ name: "owner", label: t`For calls of`, kind: "choice", options: owners }, ...getFields()]
                : getFields()
            }
            submitLabel={t`Set the budget`}
            cancel={close}
            submit={set.submit}
          />
        </div>
      )}
    </Dialog>
  );
}

const getFields = (): FormField<Values>[] => [
  { name: "amount", label: t`Budget in dollars`, inputMode: "decimal", autoComplete: "off", placeholder: "50" },
  {
    name: "period",
    label: t`The budget is for`,
    kind: "choice",
    options: [
      { value: "day", label: t`each day` },
      { value: "week", label: t`each week` },
      { value: "month", label: t`each month` },
      { value: "none", label: t`all time` },
    ],
    hint: t`Days begin at midnight UTC, weeks on Monday.`,
  },
  {
    name: "warning",
    label: t`Warn at per cent`,
    inputMode: "numeric",
    autoComplete: "off",
    hint: t`Admins, and the member whose budget it is, get a message then, and when it is spent.`,
  },
  {
    name: "hard",
    label: t`Refuse calls beyond it`,
    kind: "check",
    hint: t`A call is refused when the most that it can cost does not fit. Otherwise the budget only alerts.`,
  },
];

function toValues(edited: Budget | "new"): Values {
  if (edited === "new") return { owner: ORGANIZATION, amount: "", period: "month", warning: "80", hard: false };
  const { user_id, amount_nano_usd, period, warning_percent, hard } = edited;
  return {
    owner: user_id ?? ORGANIZATION,
    amount: toDollars(amount_nano_usd),
    period,
    warning: String(warning_percent),
    hard,
  };
}

function saveBudget({ owner, amount, period, warning, hard }: Values) {
  const body = { amount_nano_usd: parseBudget(amount) ?? "0", period, hard, warning_percent: Number(warning) };
  return owner === ORGANIZATION ? feather.budgets.set(body) : feather.budgets.setForMember(owner, body);
}
