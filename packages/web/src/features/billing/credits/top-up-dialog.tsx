import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { cardsQuery, useBillingRefresh } from "#/entities/billing/queries.ts";
import { convertUsdCents, formatMoney, formatNanoUsd, parseCents } from "#/entities/money/money.ts";
import { USD } from "#/entities/plans/plan-price.ts";
import { currenciesQuery } from "#/entities/plans/queries.ts";
import { useCurrency } from "#/entities/plans/use-currency.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { formatCardName } from "../cards/cards.ts";
import { createAmountSchema, MAX_TOP_UP_CENTS, MIN_TOP_UP_CENTS } from "./amount-schema.ts";

/**
 * Buys credits with the default card. It stays open during a payment. A payment with an unknown outcome is retried with
 * the same idempotency key, even after the dialog was closed.
 */
export function TopUpDialog({ open, close }: { open: boolean; close(): void }) {
  const { refreshBilling } = useBillingRefresh();
  const currency = useCurrency();
  const { run, busy, error, clearError } = useAction(
    (amount_usd_cents: number, options) => feather.credits.topUp({ amount_usd_cents, currency }, options),
    {
      showsError: true,
      success: ({ balance, is_test }) => ({
        title: t`${formatNanoUsd(balance.available_nano_usd)} ready to use`,
        ...(is_test && { description: t`A test: no money moved.` }),
      }),
      onSuccess() {
        close();
        void refreshBilling();
      },
    },
  );

  function closeDialog(): void {
    if (busy) return;
    clearError();
    close();
  }

  return (
    <Dialog
      open={open}
      onClose={closeDialog}
      title={t`Buy credits`}
      description={t`Requests of plans priced by the request pay from them. Where tax is charged, it is added.`}
    >
      {open ? <TopUpForm error={error} currency={currency} buy={run} /> : null}
    </Dialog>
  );
}

function TopUpForm({
  error,
  currency,
  buy,
}: {
  error: unknown;
  currency: string;
  buy(cents: number): Promise<unknown>;
}) {
  const rate = useQuery(currenciesQuery).data?.items.find(({ code }) => code === currency);
  const { data } = useQuery(cardsQuery);
  const card = data?.items.find(({ is_default }) => is_default);
  return (
    <div className="mt-4">
      <ErrorNotice error={error} />
      <Form
        schema={z.object({ amount: createAmountSchema(t`Amount`, MIN_TOP_UP_CENTS, MAX_TOP_UP_CENTS) })}
        initial={{ amount: "25" }}
        fields={[
          {
            name: "amount",
            label: t`Amount in US dollars`,
            inputMode: "decimal",
            autoComplete: "off",
            autoFocus: true,
            hint: card
              ? card.is_test
                ? t`${formatCardName(card)} pays. It is a test card: no money moves.`
                : t`${formatCardName(card)} pays.`
              : t`The default card pays.`,
          },
        ]}
        renderSummary={({ amount }) => {
          const cents = parseCents(amount);
          if (currency === USD || rate === undefined || cents === null) return null;
          const cost = formatMoney(convertUsdCents(cents, rate), currency);
          return (
            <p className="small muted mt-3">{t`You pay ${cost}, at ${rate.units_per_usd} ${currency} for a dollar.`}</p>
          );
        }}
        submitLabel={t`Pay and add the credits`}
        submit={({ amount }) => buy(parseCents(amount) ?? 0)}
      />
    </div>
  );
}
