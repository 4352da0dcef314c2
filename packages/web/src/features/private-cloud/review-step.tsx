import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { hourly, hourlyText } from "./prices.ts";
import { providersQuery } from "./queries.ts";
import type { DeploymentBody } from "./settings.ts";
import { STEPS, type StepId } from "./wizard-steps.ts";
import { scalingText, sleepText } from "./words.ts";

type Props = { body: DeploymentBody; open(step: StepId): void };

/** Summarizes the deployment before it is created. */
export function ReviewStep({ body, open }: Props) {
  const { data: providers } = useQuery(providersQuery);
  const provider = providers?.find(({ id }) => id === body.provider_id);
  const region = provider?.regions.find(({ id }) => id === body.region);
  const scaling = {
    min_replicas: body.min_replicas ?? 0,
    max_replicas: body.max_replicas ?? 1,
    scale_to_zero_after_s: body.scale_to_zero_after_s ?? null,
    autoscale: body.autoscale ?? { metric: "pending_requests", target: 4 },
  };
  const args = Object.entries(body.engine_args ?? {}).map(([name, value]) => `${name}=${value}`);
  const price = providers ? hourly(body, providers) : null;
  const parts: Record<string, [string, string][]> = {
    model: [
      [t`Model`, body.model_id],
      [t`Revision`, body.revision ?? t`what is here`],
    ],
    provider: [
      [t`Runs on`, `${provider?.name ?? body.provider_id} · ${region?.name ?? body.region}`],
      [t`Machine`, body.instance_type],
      [t`An hour`, price ? priceRange(price, scaling) : hourlyText(price)],
    ],
    replicas: [
      [t`Name`, body.name],
      [t`Replicas`, scalingText(scaling)],
      [t`Sleeps`, sleepText(scaling)],
      [
        t`Open to`,
        body.visibility === "public" ? t`everybody who knows its address` : t`its token, and keys of the organization`,
      ],
      ...(args.length > 0 ? [[t`Arguments`, args.join(" ")] as [string, string]] : []),
    ],
  };
  return STEPS.slice(0, 3).map(({ id, name }) => (
    <section key={id} className="review-part">
      <div className="row between">
        <h3 className="h4">{name}</h3>
        <button type="button" className="link small" onClick={() => open(id)}>
          {t`Change`}
          <span className="visually-hidden"> {name.toLowerCase()}</span>
        </button>
      </div>
      <dl className="facts mt-2">
        {parts[id]?.map(([term, text]) => (
          <div key={term} className="contents">
            <dt>{term}</dt>
            <dd className="num">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  ));
}

function priceRange(
  price: number,
  { min_replicas: min, max_replicas: max }: { min_replicas: number; max_replicas: number },
) {
  const most = hourlyText(price, max);
  if (min === max) return most;
  const least = hourlyText(price, min);
  return min === 0 ? t`$0.00 asleep, up to ${most}` : t`${least}, up to ${most}`;
}
