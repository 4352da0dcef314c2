import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialog.tsx";
import { FaultNotice } from "#/components/ui/fault-notice.tsx";
import { Form } from "#/components/ui/form.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { feather } from "#/lib/feather.ts";
import { useAttempt } from "#/lib/use-attempt.ts";
import { cardName } from "./cards.ts";
import { centsOf, dollars, usd } from "./money.ts";
import { cardsQuery, useBillingRefresh } from "./queries.ts";

const LEAST = 500;
const MOST = 1_000_000;

/** An amount between the limits of one top-up. */
const topUpAmount = z.string().refine(
  (typed) => {
    const cents = centsOf(typed);
    return cents !== null && cents >= LEAST && cents <= MOST;
  },
  { error: t`Amount is not valid: from ${dollars(LEAST)} to ${dollars(MOST)}.` },
);

/**
 * Buys credits with the default card. It stays open during a payment. A payment with an unknown outcome is retried with
 * the same idempotency key, even after the dialog was closed.
 */
export function TopUpDialog({ open, close }: { open: boolean; close(): void }) {
  const toast = useToast();
  const { changed } = useBillingRefresh();
  const { run, busy, error, forget } = useAttempt((amount_usd_cents: number, options) =>
    feather.credits.topUp({ amount_usd_cents }, options),
  );

  function leave(): void {
    if (busy) return;
    forget();
    close();
  }

  async function buy(cents: number): Promise<void> {
    const bought = await run(cents);
    if (!bought) return;
    close();
    void changed();
    const { balance, is_test } = bought.value;
    toast({
      title: t`${usd(balance.available_nano_usd)} ready to use`,
      description: is_test ? t`A test: no money moved.` : undefined,
      variant: "success",
    });
  }

  return (
    <Dialog
      open={open}
      onClose={leave}
      title={t`Buy credits`}
      description={t`Requests of plans priced by the request pay from them. Where tax is charged, it is added.`}
    >
      {open ? <TopUp error={error} buy={buy} /> : null}
    </Dialog>
  );
}

function TopUp({ error, buy }: { error: unknown; buy(cents: number): Promise<void> }) {
  const { data } = useQuery(cardsQuery);
  const card = data?.items.find(({ is_default }) => is_default);
  return (
    <div className="mt-4">
      <FaultNotice error={error} />
      <Form
        schema={z.object({ amount: topUpAmount })}
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
                ? t`${cardName(card)} pays. It is a test card: no money moves.`
                : t`${cardName(card)} pays.`
              : t`The default card pays.`,
          },
        ]}
        submitLabel={t`Pay and add the credits`}
        submit={({ amount }) => buy(centsOf(amount) ?? 0)}
      />
    </div>
  );
}
