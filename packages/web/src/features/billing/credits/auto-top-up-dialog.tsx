import type { AutoTopUp } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { parseCents } from "#/entities/money/money.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { createAmountSchema, MAX_TOP_UP_CENTS, MIN_TOP_UP_CENTS } from "./amount-schema.ts";

const MIN_THRESHOLD_CENTS = 100;
const MAX_LIMIT_CENTS = 100_000_000;

const schema = z.object({
  threshold: createAmountSchema(t`Threshold`, MIN_THRESHOLD_CENTS, MAX_TOP_UP_CENTS),
  amount: createAmountSchema(t`Amount`, MIN_TOP_UP_CENTS, MAX_TOP_UP_CENTS),
  limit: createAmountSchema(t`Limit`, MIN_TOP_UP_CENTS, MAX_LIMIT_CENTS),
});
type Values = z.infer<typeof schema>;
type Rule = AutoTopUp["rule"];

type Props = {
  open: boolean;
  /** The rule to change; null for the first one. */
  rule: Rule;
  close(): void;
};

/** A dialog that sets when credits are bought automatically. */
export function AutoTopUpDialog({ open, rule, close }: Props) {
  const set = useAction(saveRule, {
    success: () => t`Credits are bought automatically`,
    invalidates: [queries.credits.autoTopUp.key()],
    onSuccess: close,
  });
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Buy credits automatically`}
      description={t`The default card is charged without a question each time. A payment that fails pauses it, and admins get a mail.`}
    >
      {open ? (
        <div className="mt-4">
          <Form
            schema={schema}
            initial={toValues(rule)}
            fields={[
              {
                name: "threshold",
                label: t`When less than this is left, in US dollars`,
                inputMode: "decimal",
                autoComplete: "off",
                hint: t`Calls in flight can use credits up before the payment arrives: choose what a few minutes of calls cost.`,
              },
              {
                name: "amount",
                label: t`Buy credits for, in US dollars`,
                inputMode: "decimal",
                autoComplete: "off",
                hint: t`Where tax is charged, it is added.`,
              },
              {
                name: "limit",
                label: t`At most in a calendar month, in US dollars`,
                inputMode: "decimal",
                autoComplete: "off",
                hint: t`With tax. Months begin at midnight UTC.`,
              },
            ]}
            submitLabel={t`Let the card be charged`}
            cancel={close}
            submit={set.submit}
          />
        </div>
      ) : null}
    </Dialog>
  );
}

function toValues(rule: Rule): Values {
  if (rule === null) return { threshold: "10", amount: "25", limit: "100" };
  return {
    threshold: toDollars(rule.threshold_usd_cents),
    amount: toDollars(rule.amount_usd_cents),
    limit: toDollars(rule.monthly_limit_usd_cents),
  };
}

const toDollars = (cents: number): string => (cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2));

function saveRule({ threshold, amount, limit }: Values) {
  return feather.credits.autoTopUp.set({
    threshold_usd_cents: parseCents(threshold) ?? 0,
    amount_usd_cents: parseCents(amount) ?? 0,
    monthly_limit_usd_cents: parseCents(limit) ?? 0,
  });
}
