import type { Model } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { formatPricePerMillion } from "#/entities/money/money.ts";
import { formatPriceAndPeriod } from "#/entities/plans/plan-labels.ts";
import { listPlansFor } from "#/entities/plans/plans-for.ts";
import { plansQuery } from "#/entities/plans/queries.ts";
import { useCurrency } from "#/entities/plans/use-currency.ts";
import { formatContextLength } from "#/lib/format.ts";
import catalogueStyles from "../catalogue.module.css";
import styles from "./costs.module.css";

/** The plans that include a model, with concurrency, context and price. */
export function Costs({ model }: { model: Model }) {
  const { data, isError } = useQuery(plansQuery);
  const currency = useCurrency();
  const plans = data ? listPlansFor(data.items, model) : undefined;
  const units = plural(model.concurrency_cost, { one: "# unit", other: "# units" });
  const read = model.pricing && formatPricePerMillion(model.pricing.prompt);
  const written = model.pricing && formatPricePerMillion(model.pricing.completion);
  return (
    <section className={catalogueStyles.modelSection}>
      <h2 className="h4">{t`What it costs here`}</h2>
      <p className="muted mt-2">
        <Trans>
          A request holds{" "}
          <span className={`whitespace-nowrap ${catalogueStyles.withBarbs}`}>
            <Barbs active={model.concurrency_cost} total={4} label="" /> {units}
          </span>{" "}
          while it runs. Flat plans count no tokens.
        </Trans>{" "}
        {read && written
          ? t`Metered ones pay ${read} for a million tokens read and ${written} for a million written.`
          : null}
      </p>
      {isError ? null : plans === undefined ? (
        <div className="mt-4">
          <Skeleton height={340} />
        </div>
      ) : plans.length === 0 ? (
        <p className="muted mt-3">{t`No plan on sale here carries a model of this size.`}</p>
      ) : (
        <table className={`${styles.costs} mt-3`}>
          <thead>
            <tr>
              <th scope="col">{t`Plan`}</th>
              <th scope="col" className="numeric">
                {t`At once`}
              </th>
              <th scope="col" className="numeric wide-only">
                {t`Longest context`}
              </th>
              <th scope="col">{t`Price`}</th>
            </tr>
          </thead>
          <tbody>
            {plans.map(({ plan, atOnce }) => (
              <tr key={plan.id}>
                <td>
                  <Link className={styles.planName} to={paths.pricing}>
                    {plan.name}
                  </Link>
                </td>
                <td className="numeric">{atOnce ?? t`no limit`}</td>
                <td className="numeric wide-only">
                  {formatContextLength(minContext(plan.max_context_length, model.context_length))}
                </td>
                <td className="muted">{formatPriceAndPeriod(plan, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Returns the smaller of two context limits; null is no limit. */
function minContext(plan: number | null, model: number | null): number | null {
  if (plan === null || model === null) return plan ?? model;
  return Math.min(plan, model);
}
