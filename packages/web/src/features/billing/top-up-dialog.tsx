import { useState } from "react";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialog.tsx";
import { FaultNotice } from "#/components/ui/fault-notice.tsx";
import { Form } from "#/components/ui/form.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { feather } from "#/lib/feather.ts";
import { useAttempt } from "#/lib/use-attempt.ts";
import { centsOf, dollars, usd } from "./money.ts";
import { useBillingRefresh } from "./queries.ts";

const LEAST = 500;
const MOST = 1_000_000;

/** What may be bought at once. */
export const topUpAmount = z.string().refine(
  (typed) => {
    const cents = centsOf(typed);
    return cents !== null && cents >= LEAST && cents <= MOST;
  },
  { error: `Amount is not valid: from ${dollars(LEAST)} to ${dollars(MOST)}.` },
);

/** Buys credits with the default card. */
export function TopUpDialog({ open, close }: { open: boolean; close(): void }) {
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Buy credits"
      description="The default card pays. Credits do not expire, and only requests of plans priced by the request use them."
    >
      {open ? <TopUp close={close} /> : null}
    </Dialog>
  );
}

function TopUp({ close }: { close(): void }) {
  const toast = useToast();
  const { changed } = useBillingRefresh();
  const [asked, setAsked] = useState("25");
  const attempt = useAttempt(
    (amount_usd_cents: number, options) => feather.credits.topUp({ amount_usd_cents }, options),
    { once: true },
  );
  return (
    <div className="mt-4">
      <FaultNotice error={attempt.error} />
      <Form
        schema={z.object({ amount: topUpAmount })}
        initial={{ amount: asked }}
        fields={[
          { name: "amount", label: "Amount in US dollars", inputMode: "decimal", autoComplete: "off", autoFocus: true },
        ]}
        submitLabel="Pay and add the credits"
        submit={async ({ amount }) => {
          setAsked(amount);
          const bought = await attempt.run(centsOf(amount) ?? 0);
          if (!bought) return;
          await changed();
          close();
          const { balance, is_test } = bought.value;
          toast({
            title: `${usd(balance.available_nano_usd)} ready to use`,
            description: is_test ? "A test: no money moved." : undefined,
            variant: "success",
          });
        }}
      />
    </div>
  );
}
