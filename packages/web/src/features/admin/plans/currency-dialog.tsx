import type { AdminCurrency } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { nameCurrency } from "#/entities/money/money.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { FormDialog } from "../forms/form-dialog.tsx";

const schema = z.object({
  code: z.string().min(1, { error: t`Choose a currency.` }),
  rate: z.string().regex(/^(?=.*[1-9])(0|[1-9]\d{0,4}|100000)(\.\d{1,8})?$/, {
    error: t`Rate is not valid: a decimal above 0 and at most 100000, such as 0.92.`,
  }),
  isDefault: z.boolean(),
});

/** Switches a currency on, or sets the rate of one. `available` are the codes to choose from. */
export function CurrencyDialog({
  currency,
  available,
  close,
}: {
  currency: AdminCurrency | null;
  available: readonly string[];
  close(): void;
}) {
  const save = useAction(
    ({ code, rate, isDefault }: z.infer<typeof schema>) =>
      feather.admin.currencies.set(code, { units_per_usd: rate, is_default: isDefault }),
    { success: ({ code, units_per_usd }) => t`${units_per_usd} ${code} are a dollar`, invalidates: ADMIN_QUERY_KEYS },
  );
  const codes = currency ? [currency.code] : available;
  return (
    <FormDialog
      open
      title={currency ? t`Rate of ${currency.code}` : t`Switch on a currency`}
      description={t`The rate is yours: none is fetched. It holds for what is sold from now on; invoices and payments keep theirs.`}
      close={close}
      schema={schema}
      initial={{
        code: codes[0] ?? "",
        rate: currency?.units_per_usd ?? "",
        isDefault: currency?.is_default ?? false,
      }}
      fields={[
        {
          name: "code",
          label: t`Currency`,
          kind: "choice",
          options: codes.map((code) => ({ value: code, label: nameCurrency(code) })),
        },
        { name: "rate", label: t`Units for one US dollar`, inputMode: "decimal", autoComplete: "off" },
        {
          name: "isDefault",
          label: t`For organizations that have not chosen and bought nothing yet`,
          kind: "check",
        },
      ]}
      submitLabel={currency ? t`Save` : t`Switch it on`}
      submit={save.submit}
    />
  );
}
