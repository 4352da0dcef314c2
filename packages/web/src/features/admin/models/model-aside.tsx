import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/bits.tsx";
import { count } from "#/lib/format.ts";
import { Moment } from "../cells.tsx";
import { adminPaths } from "../paths.ts";
import { ModelState } from "./model-state.tsx";
import { perMillion, priceWords } from "./price-math.ts";
import type { AdminModel } from "./queries.ts";

/** What is known of a model and cannot be typed. */
export function ModelAside({ model }: { model: AdminModel }) {
  const facts: [string, ReactNode][] = [
    ["State", <ModelState key="state" model={model} />],
    ["Units", <Barbs key="units" on={model.concurrency_cost} label={`${model.concurrency_cost} units`} />],
    ["Asked for by", model.request_count === 0 ? "nobody" : `${count(model.request_count)} organizations`],
    ["Favourite of", count(model.favorites)],
    ["Rating", model.avg_rating === null ? "–" : `${model.avg_rating.toFixed(1)} of 5, ${count(model.total_reviews)}`],
    ["Facts from", model.source],
    ["Commit at the hub", model.hub_revision?.slice(0, 12) ?? "–"],
    ["Base model", model.base_model ?? "–"],
    ["Architecture", model.architecture ?? "unknown"],
    ["Changed", <Moment key="changed" date={model.updated_at} />],
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
          <dt>Price, a million</dt>
          <dd className="num">
            {model.pricing
              ? `${priceWords(perMillion(model.pricing.prompt))} in, ${priceWords(perMillion(model.pricing.completion))} out`
              : "–"}
          </dd>
        </div>
      </dl>
      <Link className="link small" to={adminPaths.price(model.id)}>
        Prices and their history
      </Link>
    </>
  );
}
