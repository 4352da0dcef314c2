import type { AutoTopUp } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { autoTopUpQuery } from "#/entities/billing/queries.ts";
import { formatCents } from "#/entities/money/money.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { AutoTopUpDialog } from "./auto-top-up-dialog.tsx";

type Rule = NonNullable<AutoTopUp["rule"]>;
type PauseReason = NonNullable<AutoTopUp["paused"]>["reason"];

const PAUSE_TEXTS: Readonly<Record<PauseReason, string>> = {
  card_declined: t`The automatic top-up is paused: the card was declined.`,
  not_confirmed: t`The automatic top-up is paused: your bank wanted a confirmation, and there was none.`,
  no_card: t`The automatic top-up is paused: there is no card.`,
  no_address: t`The automatic top-up is paused: the tax depends on the address in the billing details, which is missing or not complete.`,
  refunded: t`The automatic top-up is paused: a payment for credits was given back.`,
  disputed: t`The automatic top-up is paused: a payment is disputed at your bank.`,
};

/** Says when credits are bought automatically, and lets admins change it. */
export function AutoTopUpStatus({ mayChange }: { mayChange: boolean }) {
  const { data, error, refetch } = useQuery(autoTopUpQuery);
  const [editing, setEditing] = useState(false);
  const switchOff = useSwitchOff();
  if (error && !data) return <LoadError subject={t`The automatic top-up`} error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton height={24} />;
  const { rule, paused } = data;
  return (
    <div className="mt-3">
      {paused ? (
        <p className="notice fault" role="alert">
          {PAUSE_TEXTS[paused.reason]}
        </p>
      ) : null}
      <div className="row between wrapping mt-2">
        <p className="small measure">{rule ? describeRule(rule, data) : t`Not bought automatically.`}</p>
        {mayChange ? (
          <span className="row">
            <button type="button" className="btn ghost" onClick={() => setEditing(true)}>
              {rule ? (paused ? t`Change and go on` : t`Change`) : t`Buy automatically`}
            </button>
            {rule ? (
              <button type="button" className="btn ghost" onClick={switchOff}>
                {t`Switch off`}
              </button>
            ) : null}
          </span>
        ) : null}
      </div>
      <AutoTopUpDialog open={editing} rule={rule} close={() => setEditing(false)} />
    </div>
  );
}

function describeRule(rule: Rule, { charged_this_month_usd_cents }: AutoTopUp): string {
  const amount = formatCents(rule.amount_usd_cents);
  const threshold = formatCents(rule.threshold_usd_cents);
  const charged = formatCents(charged_this_month_usd_cents);
  const limit = formatCents(rule.monthly_limit_usd_cents);
  return t`${amount} are bought automatically when less than ${threshold} are left. ${charged} of at most ${limit} are charged this month.`;
}

function useSwitchOff() {
  const confirm = useConfirm();
  const { run } = useAction(() => feather.credits.autoTopUp.delete(), {
    success: () => t`Credits are no longer bought automatically`,
    invalidates: [queries.credits.autoTopUp.key()],
  });
  return (): void =>
    confirm({
      title: t`Switch the automatic top-up off`,
      description: t`Calls are refused when the credits are used up.`,
      confirmButtonText: t`Switch off`,
      destructive: true,
      action: async () => {
        await run();
      },
    });
}
