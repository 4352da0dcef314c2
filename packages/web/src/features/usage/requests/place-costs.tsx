import type { Receipt } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { queries } from "#/lib/queries.ts";

/** What each place of the model charges for the tokens of a request today. Nothing where no place states its price. */
export function PlaceCosts({ receipt: { id, place: answeredAt } }: { receipt: Receipt }) {
  const { data } = useQuery(queries.usage.requests.get.queryOptions(id));
  const costs = data?.place_costs ?? [];
  if (costs.every(({ place }) => place === answeredAt)) return null;
  return (
    <section className="mt-4">
      <h3 className="h5">{t`What the places of the model charge for these tokens`}</h3>
      <p className="small muted">
        {t`At today's prices and without a cache. The operator pays it, not you; places without a stated price are left out.`}
      </p>
      <dl className="facts mt-2">
        {costs.map(({ place, name, cost_nano_usd }) => (
          <Fragment key={place}>
            <dt>{place === "server" ? t`This server` : name}</dt>
            <dd className="num">
              {place === answeredAt ? t`${formatNanoUsd(cost_nano_usd)}, answered here` : formatNanoUsd(cost_nano_usd)}
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
