import type { DeploymentCreate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { formatScaling, formatSleep } from "../labels.ts";
import { formatHourlyPrice, hourlyNanoUsd } from "../prices.ts";
import { providersQuery } from "../queries.ts";
import styles from "./review-step.module.css";
import { type StepId, WIZARD_STEPS } from "./wizard-steps.ts";

type Props = { body: DeploymentCreate; openStep(step: StepId): void };

/** Summarizes the deployment before it is created. */
export function ReviewStep({ body, openStep }: Props) {
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
  const price = providers ? hourlyNanoUsd(body, providers) : null;
  const sections: Record<string, [string, string][]> = {
    model: [
      [t`Model`, body.model_id],
      [t`Revision`, body.revision ?? t`what is here`],
    ],
    provider: [
      [t`Runs on`, `${provider?.name ?? body.provider_id} · ${region?.name ?? body.region}`],
      [t`Machine`, body.instance_type],
      [t`An hour`, price ? priceRange(price, scaling) : formatHourlyPrice(price)],
    ],
    replicas: [
      [t`Name`, body.name],
      [t`Replicas`, formatScaling(scaling)],
      [t`Sleeps`, formatSleep(scaling)],
      [
        t`Open to`,
        body.visibility === "public" ? t`everybody who knows its address` : t`its token, and keys of the organization`,
      ],
      ...(args.length > 0 ? [[t`Arguments`, args.join(" ")] as [string, string]] : []),
    ],
  };
  return WIZARD_STEPS.slice(0, 3).map(({ id, name }) => (
    <section key={id} className={styles.reviewPart}>
      <div className="row between">
        <h3 className="h4">{name}</h3>
        <button type="button" className="link small" onClick={() => openStep(id)}>
          {t`Change`}
          <span className="visually-hidden"> {name.toLowerCase()}</span>
        </button>
      </div>
      <dl className="facts mt-2">
        {sections[id]?.map(([term, text]) => (
          <div key={term} className={styles.pair}>
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
  const maxText = formatHourlyPrice(price, max);
  if (min === max) return maxText;
  const minText = formatHourlyPrice(price, min);
  return min === 0 ? t`$0.00 asleep, up to ${maxText}` : t`${minText}, up to ${maxText}`;
}
