import { t } from "@lingui/core/macro";
import { Barbs } from "#/components/ui/bits.tsx";
import { COMPARISON, type Plan, priceWords } from "./plan-words.ts";

/** The value for something that a plan does not include. Rows with no other value are hidden. */
const NOTHING = "–";

/** A table that compares all plans. It scrolls sideways on narrow screens. */
export function PlanComparison({ plans, currentId }: { plans: readonly Plan[]; currentId: string | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too
    <section className="comparison" tabIndex={0} aria-label={t`Comparison of the plans`}>
      <table>
        <thead>
          <tr>
            <td />
            {plans.map((plan) => (
              <th key={plan.id} scope="col" className={plan.id === currentId ? "current" : undefined}>
                <span className="stranger">{plan.name}</span>
                {plan.id === currentId ? <span className="visually-hidden"> {t`(your plan)`}</span> : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t`Price`}</th>
            {plans.map((plan) => (
              <td key={plan.id}>{priceWords(plan)}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">{t`Units`}</th>
            {plans.map(({ id, concurrency, unit_based }) => (
              <td key={id}>
                {concurrency === null ? (
                  t`by agreement`
                ) : (
                  <span className="row" style={{ gap: 8 }}>
                    <Barbs on={Math.min(concurrency, 8)} of={Math.min(concurrency, 8)} label="" />
                    <span className="num">{unit_based ? t`${concurrency} each` : concurrency}</span>
                  </span>
                )}
              </td>
            ))}
          </tr>
          {COMPARISON.filter(({ of }) => plans.some((plan) => of(plan) !== NOTHING)).map(({ label, of }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {plans.map((plan) => (
                <td key={plan.id} className="num">
                  {of(plan)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
