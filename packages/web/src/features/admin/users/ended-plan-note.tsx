import type { EndedPlan } from "@feather/sdk";
import { Trans } from "@lingui/react/macro";
import { formatCents } from "#/entities/money/money.ts";
import { formatLongDate } from "#/entities/plans/subscription-labels.ts";

/** Tells which plan ends early and how much is credited for it. */
export function EndedPlanNote({ ended }: { ended: EndedPlan }) {
  const { plan_name, quantity, period_end_date, credited_cents } = ended;
  const name = quantity > 1 ? `${plan_name} × ${quantity}` : plan_name;
  const [until, amount] = [formatLongDate(period_end_date), formatCents(credited_cents)];
  return (
    <p className="notice mt-4">
      {credited_cents > 0 ? (
        <Trans>
          {name}, paid until {until}, ends at once. {amount} for the time that is not used are kept for the next
          invoices, and the customer is told by mail.
        </Trans>
      ) : (
        <Trans>
          {name}, which runs until {until}, ends at once. Nothing is kept of it, and the customer is told by mail.
        </Trans>
      )}
    </p>
  );
}
