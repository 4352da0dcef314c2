import type { EndedPlan } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { formatMoney } from "#/entities/money/money.ts";
import { formatLongDate } from "#/entities/plans/subscription-labels.ts";
import { useMailDelivery } from "#/lib/site-config.ts";

/** Tells which plan ends early and how much is credited for it. */
export function EndedPlanNote({ ended }: { ended: EndedPlan }) {
  const sendsMail = useMailDelivery();
  const { plan_name, quantity, period_end_date, credited_cents, currency } = ended;
  const name = quantity > 1 ? `${plan_name} × ${quantity}` : plan_name;
  const [until, amount] = [formatLongDate(period_end_date), formatMoney(credited_cents, currency)];
  return (
    <p className="notice mt-4">
      {credited_cents > 0 ? (
        <Trans>
          {name}, paid until {until}, ends at once. {amount} for the time that is not used are kept for the next
          invoices.
        </Trans>
      ) : (
        <Trans>
          {name}, which runs until {until}, ends at once. Nothing is kept of it.
        </Trans>
      )}{" "}
      {sendsMail ? t`The customer is told by mail.` : t`There is no mail server: tell the customer yourself.`}
    </p>
  );
}
