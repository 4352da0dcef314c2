import type { Subscription } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatMoney } from "#/entities/money/money.ts";
import { priceOf } from "#/entities/plans/plan-price.ts";
import {
  countUnits,
  describeNextStep,
  formatDaysLeft,
  formatLongDate,
  formatPlanPrice,
  formatUnits,
  getStatusLabel,
  listPlanLimits,
} from "#/entities/plans/subscription-labels.ts";
import styles from "./plan-view.module.css";

/** The current plan: units, price, state, period and limits. */
export function PlanView({ subscription }: { subscription: Subscription }) {
  const { plan, quantity, currency } = subscription;
  const units = countUnits(plan, quantity);
  const price = priceOf(plan, currency);
  const { tier, label } = getStatusLabel(subscription);
  return (
    <>
      <div className="kpis mt-6">
        <div>
          <p className="label">{t`Plan`}</p>
          <p className="v">{plan.name}</p>
          <p className="row small muted">
            <Barbs active={units ?? 8} total={units ?? 8} label={formatUnits(units)} />
            {formatUnits(units)}
          </p>
        </div>
        <div>
          <p className="label">{t`Price`}</p>
          <p className="v">
            {price ? formatMoney(price * quantity, currency) : (formatPlanPrice(plan, currency) ?? t`by offer`)}
          </p>
          <p className="small faint num">{priceNote(subscription)}</p>
        </div>
        <div>
          <p className="label">{t`State`}</p>
          <p className="v">
            <StateBadge tier={tier}>{label}</StateBadge>
          </p>
          <p className="small faint num">{periodNote(subscription)}</p>
        </div>
      </div>
      <p className="muted mt-4">{describeNextStep(subscription)}</p>
      <details className="mt-4">
        <summary className="link">{t`What it allows`}</summary>
        <dl className={`facts ${styles.planFacts} mt-3`}>
          {listPlanLimits(plan, quantity).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="num">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

function priceNote({ plan, quantity, currency }: Subscription): string {
  const price = priceOf(plan, currency);
  if (!price) return price === 0 ? t`for ever` : "";
  const each = `a ${plan.interval}`;
  return plan.unit_based ? `${each}: ${quantity} × ${formatMoney(price, currency)}` : each;
}

function periodNote({ current_period_start_date: start, current_period_end_date: end }: Subscription): string {
  return end === null
    ? t`since ${formatLongDate(start)}`
    : t`${formatLongDate(start)} to ${formatLongDate(end)}, ${formatDaysLeft(end)}`;
}
