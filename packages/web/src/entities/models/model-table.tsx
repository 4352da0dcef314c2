import type { Model, ModelFit } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import {
  describeContext,
  formatBytes,
  formatContextLength,
  formatDecimal,
  formatIsoDay,
  formatParameterCount,
} from "#/lib/format.ts";
import { formatAvailability } from "./availability.ts";
import { formatHosted } from "./hosted.ts";
import styles from "./model-table.module.css";

type Props = {
  models: readonly Model[] | undefined;
  detailed?: boolean;
  /** Whether newer results are loading. */
  stale?: boolean;
  /** The expected number of rows, so that the page keeps its height while loading. */
  rows?: number;
  /** Renders the actions at the end of a model's row. */
  renderActions?: (model: Model) => ReactNode;
};

/** Whether this machine can load a model. */
const FIT_VERDICTS: Record<ModelFit["verdict"], string> = {
  fits: t`fits`,
  fits_quantized: t`fits, fewer bits`,
  too_large: t`too large`,
  unknown: t`unknown`,
};

/** Models in rows. On small screens some columns move below the name. */
export function ModelTable({ models, detailed = true, stale = false, rows = 8, renderActions }: Props) {
  const hasRatings = detailed && (models?.some(({ avg_rating }) => avg_rating !== null) ?? false);
  // Only signed-in users get data about the machine.
  const hasFits = detailed && (models?.some(({ fit }) => fit !== undefined) ?? false);
  return (
    <table className={stale ? `${styles.models} stale` : styles.models} aria-busy={models === undefined || stale}>
      <thead>
        <tr>
          <th>{t`Model`}</th>
          <th className={`numeric ${styles.narrowHidden}`}>{t`Size`}</th>
          <th className="numeric wide-only">{t`Context`}</th>
          <th className="wide-only">{t`Units`}</th>
          {detailed ? <th className="wide-only">{t`Licence`}</th> : null}
          {hasRatings ? <th className={`numeric wide-only ${styles.roomOnly}`}>{t`Rating`}</th> : null}
          {detailed ? <th className="wide-only">{t`Released`}</th> : null}
          {hasFits ? <th className={`wide-only ${styles.fit} ${styles.roomOnly}`}>{t`This machine`}</th> : null}
          <th className={styles.narrowHidden}>{t`State`}</th>
          {renderActions ? <th className={styles.actions}>{t`Compare`}</th> : null}
        </tr>
      </thead>
      <tbody>
        {models ? (
          models.map((model) => (
            <Row
              key={model.id}
              model={model}
              detailed={detailed}
              hasRatings={hasRatings}
              hasFits={hasFits}
              renderActions={renderActions}
            />
          ))
        ) : (
          <LoadingRows columns={(detailed ? 7 : 5) + (renderActions ? 1 : 0)} rows={rows} tall={detailed} />
        )}
      </tbody>
    </table>
  );
}

type RowProps = {
  model: Model;
  detailed: boolean;
  hasRatings: boolean;
  hasFits: boolean;
  renderActions: Props["renderActions"];
};

function Row({ model, detailed, hasRatings, hasFits, renderActions }: RowProps) {
  const hosted = formatHosted(model);
  return (
    <tr>
      <td>
        <Link to={paths.model(model.id)}>
          <ModelId id={model.id} />
        </Link>
        {detailed ? <div className="small faint about">{model.description}</div> : null}
        <div className={`tiny muted ${styles.onlySmall}`}>
          <Barbs active={model.concurrency_cost} total={4} label={t`${model.concurrency_cost} of 4 units`} />
          <span className={`num ${styles.narrowShown}`}>{formatParameterCount(model.parameter_size)}</span>
          <span className="num">{describeContext(model.context_length)}</span>
          {detailed && model.license ? <span>{model.license}</span> : null}
          {hasFits && model.fit ? <span>{t`here: ${FIT_VERDICTS[model.fit.verdict]}`}</span> : null}
          <span className={styles.narrowShown}>
            <StateBadge tier={model.availability.tier}>{formatAvailability(model.availability)}</StateBadge>
          </span>
          {detailed && hosted !== null ? <span className={styles.narrowShown}>{hosted}</span> : null}
        </div>
      </td>
      <td className={`numeric ${styles.narrowHidden}`}>
        {formatParameterCount(model.parameter_size)}
        {detailed && model.active_parameters ? (
          <div className="tiny faint whitespace-nowrap">
            <Trans>{formatParameterCount(model.active_parameters)} active</Trans>
          </div>
        ) : null}
      </td>
      <td className="numeric wide-only">{formatContextLength(model.context_length)}</td>
      <td className="wide-only">
        <Barbs active={model.concurrency_cost} total={4} label={t`${model.concurrency_cost} of 4 units`} />
      </td>
      {detailed ? <td className="wide-only small muted">{model.license ?? t`unknown`}</td> : null}
      {hasRatings ? (
        <td className={`numeric wide-only ${styles.roomOnly}`}>
          {model.avg_rating === null ? "" : formatDecimal(model.avg_rating)}
        </td>
      ) : null}
      {detailed ? (
        <td className="wide-only small muted num whitespace-nowrap">
          {model.released_date ? formatIsoDay(model.released_date) : t`unknown`}
        </td>
      ) : null}
      {hasFits ? (
        <td className={`wide-only small ${styles.fit} ${styles.roomOnly}`}>
          {model.fit ? <Fit fit={model.fit} /> : null}
        </td>
      ) : null}
      <td className={`small ${styles.narrowHidden}`}>
        <StateBadge tier={model.availability.tier}>{formatAvailability(model.availability)}</StateBadge>
        {detailed && hosted !== null ? <div className="tiny faint">{hosted}</div> : null}
      </td>
      {renderActions ? (
        <td className={styles.actions}>
          <div>{renderActions(model)}</div>
        </td>
      ) : null}
    </tr>
  );
}

/** Whether this machine can load a model, with the memory that it takes. */
function Fit({ fit: { verdict, memory_bytes: memory, reason } }: { fit: ModelFit }) {
  return (
    <span title={reason} className={verdict === "fits" || verdict === "fits_quantized" ? undefined : "faint"}>
      {FIT_VERDICTS[verdict]}
      {memory === null ? null : <span className="tiny faint num block">{formatBytes(memory)}</span>}
    </span>
  );
}

function LoadingRows({ columns, rows, tall }: { columns: number; rows: number; tall: boolean }) {
  return Array.from({ length: rows }, (_, row) => row).map((row) => (
    <tr key={row}>
      <td colSpan={columns} height={tall ? 62 : 46}>
        <Skeleton width={`${70 - ((row * 13) % 40)}%`} />
      </td>
    </tr>
  ));
}
