import type { Deployment } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { formatIsoDay } from "#/lib/format.ts";
import { formatScaling, formatSleep } from "../labels.ts";
import { formatHourlyPrice, hourlyNanoUsd } from "../prices.ts";
import { providersQuery } from "../queries.ts";

/** The settings of a deployment. */
export function DeploymentDetails({ deployment }: { deployment: Deployment }) {
  const { data: providers } = useQuery(providersQuery);
  const { ready_replicas: ready, desired_replicas: desired, visibility, revision, created_at } = deployment;
  const provider = providers?.find(({ id }) => id === deployment.provider_id);
  const region = provider?.regions.find(({ id }) => id === deployment.region);
  const price = providers ? hourlyNanoUsd(deployment, providers) : null;
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
      <dd className="num">{formatScaling(deployment)}</dd>
      <dt>{t`Sleeps`}</dt>
      <dd className="num">{formatSleep(deployment)}</dd>
      <dt>{t`Runs on`}</dt>
      <dd>
        {provider?.name ?? deployment.provider_id} · {region?.name ?? deployment.region} ·{" "}
        <span className="mono">{deployment.instance_type}</span>
      </dd>
      {price !== null && price > 0 ? (
        <>
          <dt>{t`An hour, now`}</dt>
          <dd className="num">{formatHourlyPrice(price, ready)}</dd>
        </>
      ) : null}
      <dt>{t`Open to`}</dt>
      <dd>{visibility === "public" ? t`everybody` : t`token and keys`}</dd>
      <dt>{t`Revision`}</dt>
      <dd className="mono user-text">{revision ?? "–"}</dd>
      {args.length > 0 ? (
        <>
          <dt>{t`Arguments`}</dt>
          <dd className="mono user-text">{args.map(([name, value]) => `${name}=${value}`).join(" ")}</dd>
        </>
      ) : null}
      <dt>{t`Created`}</dt>
      <dd className="num">{formatIsoDay(created_at)}</dd>
    </dl>
  );
}
