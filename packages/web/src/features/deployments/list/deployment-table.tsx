import type { Deployment, DeploymentProvider } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import styles from "../deployments.module.css";
import { formatHourlyPrice, hourlyNanoUsd } from "../prices.ts";
import { describeState } from "../states.ts";

type Props = { deployments: readonly Deployment[] | undefined; providers: readonly DeploymentProvider[] | undefined };

/** The list of deployments; skeleton rows while `deployments` is undefined. */
export function DeploymentTable({ deployments, providers }: Props) {
  const hasPrices = deployments?.some((deployment) => (hourlyNanoUsd(deployment, providers) ?? 0) > 0) ?? false;
  return (
    <table className={styles.deployments}>
      <caption className="visually-hidden">{t`Deployments of the organization, newest first`}</caption>
      <thead>
        <tr>
          <th>{t`Name`}</th>
          <th>{t`State`}</th>
          <th className="wide-only">{t`Model`}</th>
          <th className="numeric wide-only">{t`Replicas`}</th>
          {hasPrices ? <th className="numeric wide-only">{t`An hour, now`}</th> : null}
          <th>{t`Endpoint`}</th>
        </tr>
      </thead>
      <tbody>
        {deployments === undefined
          ? SKELETON_ROWS.map((key) => <SkeletonRow key={key} />)
          : deployments.map((deployment) => (
              <Row key={deployment.id} deployment={deployment} providers={providers} hasPrices={hasPrices} />
            ))}
      </tbody>
    </table>
  );
}

const SKELETON_ROWS = ["a", "b", "c"];

function SkeletonRow() {
  return (
    <tr>
      <td>
        <Skeleton width={120} height={21} />
      </td>
      <td>
        <Skeleton width={70} height={21} />
      </td>
      <td className="wide-only">
        <Skeleton width={180} height={21} />
      </td>
      <td className="numeric wide-only">
        <Skeleton width={40} height={21} />
      </td>
      <td>
        <Skeleton width={90} height={21} />
      </td>
    </tr>
  );
}

type RowProps = { deployment: Deployment; providers: readonly DeploymentProvider[] | undefined; hasPrices: boolean };

function Row({ deployment, providers, hasPrices }: RowProps) {
  const { id, name, model_id, state, state_reason, ready_replicas: ready, desired_replicas: desired, url } = deployment;
  const { label, tone } = describeState(state);
  return (
    <tr>
      <td>
        <Link className="id name" to={paths.deployment(id)}>
          {name}
        </Link>
        <div className="small muted narrow-only">
          <ModelId id={model_id} />
        </div>
      </td>
      <td className="small">
        <StateBadge tier={tone}>{label}</StateBadge>
        {state_reason ? <div className={`faint ${styles.reason}`}>{state_reason}</div> : null}
      </td>
      <td className="wide-only">
        <ModelId id={model_id} />
      </td>
      <td className="numeric wide-only">
        <Trans>
          {ready} of {Math.max(desired, ready)}
        </Trans>
      </td>
      {hasPrices ? (
        <td className="numeric wide-only">{formatHourlyPrice(hourlyNanoUsd(deployment, providers), ready)}</td>
      ) : null}
      <td>
        {url ? (
          <span className={`row ${styles.endpoint}`}>
            <code className={`mono muted ${styles.wCode}`} title={url}>
              {new URL(url).pathname}
            </code>
            <CopyButton text={url} subject={t`the endpoint of ${name}`} />
          </span>
        ) : (
          "–"
        )}
      </td>
    </tr>
  );
}
