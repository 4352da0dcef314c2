import { plural, t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/bits.tsx";
import { count, decimal } from "#/lib/format.ts";
import { Moment } from "../cells.tsx";
import { adminPaths } from "../paths.ts";
import { ModelState } from "./model-state.tsx";
import { perMillion, priceWords } from "./price-math.ts";
import type { AdminModel } from "./queries.ts";

/** Details of a model that cannot be edited. */
export function ModelAside({ model }: { model: AdminModel }) {
  const facts: [string, ReactNode][] = [
    [t`State`, <ModelState key="state" model={model} />],
    [
      t`Units`,
      <Barbs
        key="units"
        on={model.concurrency_cost}
        label={plural(model.concurrency_cost, { one: "# unit", other: "# units" })}
      />,
    ],
    [
      t`Asked for by`,
      model.request_count === 0
        ? t`nobody`
        : plural(model.request_count, { one: "# organization", other: "# organizations" }),
    ],
    [t`Favourite of`, count(model.favorites)],
    [t`Rating`, model.avg_rating === null ? "–" : t`${decimal(model.avg_rating)} of 5, ${count(model.total_reviews)}`],
    [t`Facts from`, model.source],
    [t`Commit at the hub`, model.hub_revision?.slice(0, 12) ?? "–"],
    [t`Base model`, model.base_model ?? "–"],
    [t`Architecture`, model.architecture ?? t`unknown`],
    [t`Changed`, <Moment key="changed" date={model.updated_at} />],
  ];
  return (
    <>
      <dl className="pairs">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{t`Price, a million`}</dt>
          <dd className="num">
            {model.pricing
              ? t`${priceWords(perMillion(model.pricing.prompt))} in, ${priceWords(perMillion(model.pricing.completion))} out`
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
