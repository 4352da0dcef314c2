import type { Plan } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { formatPriceAndPeriod } from "#/entities/plans/plan-labels.ts";
import { COMPARISON } from "./comparison-rows.ts";
import styles from "./plan-comparison.module.css";

/** The value for something that a plan does not include. Rows with no other value are hidden. */
const NO_VALUE = "–";

/** A table that compares all plans. It scrolls sideways on narrow screens. */
export function PlanComparison({
  plans,
  currentId,
  currency,
}: {
  plans: readonly Plan[];
  currentId: string | undefined;
  currency: string;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too
    <section className={styles.comparison} tabIndex={0} aria-label={t`Comparison of the plans`}>
      <table>
        <thead>
          <tr>
            <td />
            {plans.map((plan) => (
              <th key={plan.id} scope="col" className={plan.id === currentId ? styles.current : undefined}>
                <span className="user-text">{plan.name}</span>
                {plan.id === currentId ? <span className="visually-hidden"> {t`(your plan)`}</span> : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t`Price`}</th>
            {plans.map((plan) => (
              <td key={plan.id}>{formatPriceAndPeriod(plan, currency)}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">{t`Units`}</th>
            {plans.map(({ id, concurrency, unit_based }) => (
              <td key={id}>
                {concurrency === null ? (
                  t`by agreement`
                ) : (
                  <span className="row tight">
                    <Barbs active={Math.min(concurrency, 8)} total={Math.min(concurrency, 8)} label="" />
                    <span className="num">{unit_based ? t`${concurrency} each` : concurrency}</span>
                  </span>
                )}
              </td>
            ))}
          </tr>
          {COMPARISON.filter(({ format }) => plans.some((plan) => format(plan) !== NO_VALUE)).map(
            ({ label, format }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {plans.map((plan) => (
                  <td key={plan.id} className="num">
                    {format(plan)}
                  </td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}
