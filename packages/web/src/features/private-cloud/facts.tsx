import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { day } from "#/lib/format.ts";
import { hourly, hourlyText } from "./prices.ts";
import { type Deployment, providersQuery } from "./queries.ts";
import { scalingText, sleepText } from "./words.ts";

/** The settings of a deployment. */
export function Facts({ deployment }: { deployment: Deployment }) {
  const { data: providers } = useQuery(providersQuery);
  const { ready_replicas: ready, desired_replicas: desired, visibility, revision, created_at } = deployment;
  const provider = providers?.find(({ id }) => id === deployment.provider_id);
  const region = provider?.regions.find(({ id }) => id === deployment.region);
  const price = providers ? hourly(deployment, providers) : null;
  const args = Object.entries(deployment.engine_args);
  return (
    <dl className="facts">
      <dt>{t`Replicas`}</dt>
      <dd className="num">
        <Trans>
          {ready} of {Math.max(desired, ready)}
        </Trans>
      </dd>
      <dt>{t`Scales`}</dt>
      <dd className="num">{scalingText(deployment)}</dd>
      <dt>{t`Sleeps`}</dt>
      <dd className="num">{sleepText(deployment)}</dd>
      <dt>{t`Runs on`}</dt>
      <dd>
        {provider?.name ?? deployment.provider_id} · {region?.name ?? deployment.region} ·{" "}
        <span className="mono">{deployment.instance_type}</span>
      </dd>
      {price !== null && price > 0 ? (
        <>
          <dt>{t`An hour, now`}</dt>
          <dd className="num">{hourlyText(price, ready)}</dd>
        </>
      ) : null}
      <dt>{t`Open to`}</dt>
      <dd>{visibility === "public" ? t`everybody` : t`token and keys`}</dd>
      <dt>{t`Revision`}</dt>
      <dd className="mono stranger">{revision ?? "–"}</dd>
      {args.length > 0 ? (
        <>
          <dt>{t`Arguments`}</dt>
          <dd className="mono stranger">{args.map(([name, value]) => `${name}=${value}`).join(" ")}</dd>
        </>
      ) : null}
      <dt>{t`Created`}</dt>
      <dd className="num">{day(created_at)}</dd>
    </dl>
  );
}
