import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { formatPriceAndPeriod } from "#/entities/plans/plan-labels.ts";
import { atOnce } from "#/entities/plans/plans-for.ts";
import { plansQuery } from "#/entities/plans/queries.ts";
import { useCurrency } from "#/entities/plans/use-currency.ts";
import { PageSection } from "./page-section.tsx";
import styles from "./plan-costs.module.css";

/** Model sizes, by the units that a request to such a model holds. */
const SIZES = [
  { units: 1, above: 0, label: t`up to 15B` },
  { units: 2, above: 16e9, label: t`up to 34B` },
  { units: 4, above: 35e9, label: t`larger` },
] as const;

/** The plans on sale, with the number of parallel requests on each. */
export function PlanCosts({ intro }: { intro: string }) {
  const { data, isError } = useQuery(plansQuery);
  const currency = useCurrency();
  if (isError || data?.items.length === 0) return null;
  return (
    <PageSection
      title={t`What it costs here`}
      intro={intro}
      action={
        <Link className="link" to={paths.pricing}>
          {t`Compare the plans`}
        </Link>
      }
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Plan`}</th>
            {SIZES.map(({ units, label }) => (
              <th key={units} scope="col" className={units === 1 ? "numeric" : "numeric wide-only"}>
                <Barbs active={units} total={4} label="" /> {label}
              </th>
            ))}
            <th scope="col">{t`Price`}</th>
          </tr>
        </thead>
        <tbody>
          {data
            ? data.items.map((plan) => (
                <tr key={plan.id}>
                  <td className={styles.planName}>{plan.name}</td>
                  {SIZES.map(({ units, above }) => (
                    <td key={units} className={units === 1 ? "numeric" : "numeric wide-only"}>
                      {atOnce(plan, units, above)}
                    </td>
                  ))}
                  <td className="muted">{formatPriceAndPeriod(plan, currency)}</td>
                </tr>
              ))
            : [0, 1, 2, 3].map((row) => (
                <tr key={row}>
                  <td colSpan={5} height={44}>
                    <Skeleton width={`${60 - row * 8}%`} />
                  </td>
                </tr>
              ))}
        </tbody>
      </table>
      <p className="small faint mt-3">{t`The figures are requests at once, by the size of the model.`}</p>
    </PageSection>
  );
}
