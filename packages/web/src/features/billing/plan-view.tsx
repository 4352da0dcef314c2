import { t } from "@lingui/core/macro";
import { Barbs, Skeleton, State } from "#/components/ui/bits.tsx";
import { dollars } from "./money.ts";
import {
  dayInWords,
  daysLeft,
  factsOf,
  nextOf,
  priceOf,
  type Subscription,
  standingOf,
  unitsOf,
  unitsText,
} from "./words.ts";

/** The current plan: units, price, state, period and limits. */
export function PlanView({ subscription }: { subscription: Subscription }) {
  const { plan, quantity } = subscription;
  const units = unitsOf(plan, quantity);
  const { tier, word } = standingOf(subscription);
  return (
    <>
      <div className="kpis mt-6">
        <div>
          <p className="label">{t`Plan`}</p>
          <p className="v">{plan.name}</p>
          <p className="row small mid">
            <Barbs on={units ?? 8} of={units ?? 8} label={unitsText(units)} />
            {unitsText(units)}
          </p>
        </div>
        <div>
          <p className="label">{t`Price`}</p>
          <p className="v">
            {plan.price_usd_cents ? dollars(plan.price_usd_cents * quantity) : (priceOf(plan) ?? t`by offer`)}
          </p>
          <p className="small dim num">{priceNote(subscription)}</p>
        </div>
        <div>
          <p className="label">{t`State`}</p>
          <p className="v">
            <State tier={tier}>{word}</State>
          </p>
          <p className="small dim num">{periodNote(subscription)}</p>
        </div>
      </div>
      <p className="mid mt-4">{nextOf(subscription)}</p>
      <details className="mt-4">
        <summary className="link">{t`What it allows`}</summary>
        <dl className="facts plan-facts mt-3">
          {factsOf(plan, quantity).map(([name, value]) => (
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

function priceNote({ plan, quantity }: Subscription): string {
  if (!plan.price_usd_cents) return plan.price_usd_cents === 0 ? t`for ever` : "";
  const each = `a ${plan.interval}`;
  return plan.unit_based ? `${each}: ${quantity} × ${dollars(plan.price_usd_cents)}` : each;
}

function periodNote({ current_period_start_date: start, current_period_end_date: end }: Subscription): string {
  return end === null ? t`since ${dayInWords(start)}` : t`${dayInWords(start)} to ${dayInWords(end)}, ${daysLeft(end)}`;
}

/** A placeholder with the height of PlanView. */
export function PlanSkeleton() {
  return (
    <div aria-busy="true">
      <span className="visually-hidden">{t`Loading the plan`}</span>
      <div className="kpis mt-6">
        {[t`Plan`, t`Price`, t`State`].map((label) => (
          <div key={label}>
            <p className="label">{label}</p>
            <p className="v">
              <Skeleton width={110} height={28} />
            </p>
            <Skeleton width={140} />
          </div>
        ))}
      </div>
      <p className="mt-4">
        <Skeleton width={220} />
      </p>
      <p className="mt-4">
        <Skeleton width={110} />
      </p>
    </div>
  );
}
