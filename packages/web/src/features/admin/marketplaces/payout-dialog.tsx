import type { MarketplaceBalance } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { formatUsd, parseCents } from "#/entities/money/money.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { ADMIN_QUERY_KEYS } from "../query-keys.ts";

const cents = (error: string) => z.string().refine((text) => parseCents(text) !== null, { error });

const schema = z.object({
  provider: z.enum(["aws", "azure", "gcp"]),
  reference: z.string().regex(/^[!-~]([ -~]{0,198}[!-~])?$/, {
    error: t`Reference is not valid: letters, digits and signs, without spaces at its ends.`,
  }),
  paidOn: z.iso.date({ error: t`Day is needed.` }),
  amount: cents(t`Amount is not valid: dollars, such as 97.50.`),
  fee: cents(t`Fee is not valid: dollars, such as 3.`),
});
type Values = z.infer<typeof schema>;

const record = ({ provider, reference, paidOn, amount, fee }: Values) =>
  feather.admin.marketplaces.payouts.record({
    provider,
    reference,
    paid_on: paidOn,
    amount_usd_cents: parseCents(amount) ?? 0,
    fee_usd_cents: parseCents(fee) ?? 0,
  });

type Props = { balances: readonly MarketplaceBalance[]; close(): void };

/** Records what a marketplace paid. Only those can be chosen that owe something. */
export function PayoutDialog({ balances, close }: Props) {
  const recording = useAction(record, {
    success: ({ reference }) => t`The payout ${reference} is recorded`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const options = balances.map(({ provider, open_usd }) => ({
    value: provider,
    label: t`${MARKETPLACES[provider]}, ${formatUsd(open_usd)} open`,
  }));
  return (
    <FormDialog
      open
      title={t`Record a payout`}
      description={t`What a marketplace paid for metered usage. Leave out what was paid for plans that were bought there.`}
      close={close}
      schema={schema}
      initial={{ provider: options[0]?.value ?? "aws", reference: "", paidOn: "", amount: "", fee: "0" }}
      fields={[
        { name: "provider", label: t`Marketplace`, kind: "choice", options },
        {
          name: "reference",
          label: t`Reference`,
          autoComplete: "off",
          hint: t`What the marketplace or your bank calls it. Each is recorded once.`,
        },
        { name: "paidOn", label: t`Paid on`, type: "date" },
        { name: "amount", label: t`What arrived, in US dollars`, inputMode: "decimal", autoComplete: "off" },
        { name: "fee", label: t`What the marketplace kept, in US dollars`, inputMode: "decimal", autoComplete: "off" },
      ]}
      submitLabel={t`Record it`}
      submit={recording.submit}
    />
  );
}
