import type { AdminModel } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { formatPricePerMillion } from "#/entities/money/money.ts";
import { formatCount, formatDecimal } from "#/lib/format.ts";
import styles from "../admin.module.css";
import { adminPaths } from "../paths.ts";
import { RelativeTime } from "../relative-time.tsx";
import { ModelState } from "./model-state.tsx";

/** Details of a model that cannot be edited. */
export function ModelAside({ model }: { model: AdminModel }) {
  const details: [string, ReactNode][] = [
    [t`State`, <ModelState key="state" model={model} />],
    [
      t`Units`,
      <Barbs
        key="units"
        active={model.concurrency_cost}
        label={plural(model.concurrency_cost, { one: "# unit", other: "# units" })}
      />,
    ],
    [
      t`Asked for by`,
      model.request_count === 0
        ? t`nobody`
        : plural(model.request_count, { one: "# organization", other: "# organizations" }),
    ],
    [t`Favourite of`, formatCount(model.favorites)],
    [
      t`Rating`,
      model.avg_rating === null ? "–" : t`${formatDecimal(model.avg_rating)} of 5, ${formatCount(model.total_reviews)}`,
    ],
    [t`Facts from`, model.source],
    [t`Commit at the hub`, model.hub_revision?.slice(0, 12) ?? "–"],
    [t`Base model`, model.base_model ?? "–"],
    [t`Architecture`, model.architecture ?? t`unknown`],
    [t`Changed`, <RelativeTime key="changed" date={model.updated_at} />],
  ];
  return (
    <>
      <dl className={styles.pairs}>
        {details.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{t`Price, a million`}</dt>
          <dd className="num">
            {model.pricing
              ? t`${formatPricePerMillion(model.pricing.prompt)} in, ${formatPricePerMillion(model.pricing.completion)} out`
              : "–"}
          </dd>
        </div>
      </dl>
      <Link className="link small" to={adminPaths.price(model.id)}>
        {t`Prices and their history`}
      </Link>
    </>
  );
}
