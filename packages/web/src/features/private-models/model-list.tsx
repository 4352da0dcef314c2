import type { PrivateModel } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { describeState, getStateAction, runsSafetensors } from "#/entities/models/private-model-states.ts";
import { formatIsoDay, formatPercent as inPercent } from "#/lib/format.ts";
import styles from "./model-list.module.css";

/** The actions on a private model. */
export type ModelActions = {
  load(model: PrivateModel): void;
  unload(model: PrivateModel): void;
  remove(model: PrivateModel): void;
};

type Props = {
  models: readonly PrivateModel[] | undefined;
  /** Null for users who may not change models. */
  actions: ModelActions | null;
};

/** The private models with their states; placeholders while `models` is undefined. */
export function ModelList({ models, actions }: Props) {
  return (
    <table className={`${styles.privateModels} mt-4`}>
      <caption className="visually-hidden">{t`Private models of the organization, newest first`}</caption>
      <thead>
        <tr>
          <th>{t`Model`}</th>
          <th>{t`State`}</th>
          <th className="wide-only">{t`Class`}</th>
          <th className="wide-only">{t`Added`}</th>
          {actions ? (
            <th>
              <span className="visually-hidden">{t`Actions`}</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {models === undefined
          ? SKELETON_ROWS.map((key) => (
              <tr key={key}>
                <td colSpan={5}>
                  <Skeleton height={43} />
                </td>
              </tr>
            ))
          : models.map((model) => <Row key={model.id} model={model} actions={actions} />)}
      </tbody>
    </table>
  );
}

/** Returns the name of the program that runs a model, unless it is the one that runs most. */
function programNote(runtime: PrivateModel["runtime"]): string | null {
  if (runtime === "llama-server") return ` · ${t`runs with llama-server`}`;
  if (runtime === "sglang") return ` · ${t`runs with SGLang`}`;
  return runtime === "vllm" ? ` · ${t`runs with vLLM`}` : null;
}

const SKELETON_ROWS = ["a", "b"];

function Row({ model, actions }: { model: PrivateModel; actions: ModelActions | null }) {
  const { id, name, revision, runtime, model_class, created_at } = model;
  return (
    <tr>
      <td>
        <ModelId id={id} />
        <div className="small faint user-text">
          {id.endsWith(`/${name}`) ? null : `${name} · `}
          <span className="mono">{revision}</span>
          {programNote(runtime)}
        </div>
        <div className="row small muted mt-1">
          <Link className="link" to={paths.chat(id)}>
            {t`Chat`}
            <span className="visually-hidden">
              {" "}
              <Trans>with {id}</Trans>
            </span>
          </Link>
          {actions && !runsSafetensors(runtime) ? (
            <Link className="link" to={paths.newDeployment({ model: id })}>
              {t`Deploy`}
              <span className="visually-hidden"> {id}</span>
            </Link>
          ) : null}
        </div>
      </td>
      <td className="small">
        <ModelState model={model} />
      </td>
      <td className="wide-only mono muted">{model_class ?? t`unknown`}</td>
      <td className="wide-only muted num">{formatIsoDay(created_at)}</td>
      {actions ? (
        <td>
          <ActionButtons model={model} actions={actions} />
        </td>
      ) : null}
    </tr>
  );
}

function ModelState({ model: { id, state, progress, error } }: { model: PrivateModel }) {
  const { label, tone, explanation } = describeState(state);
  const percent = progress === null ? null : Math.round(progress * 100);
  return (
    <>
      <StateBadge tier={tone}>
        {label}
        {percent === null ? "" : ` ${inPercent(percent / 100, 0)}`}
      </StateBadge>
      {percent === null ? null : (
        <progress className={styles.progress} max={100} value={percent} aria-label={`${id}: ${label}`}>
          {percent} %
        </progress>
      )}
      <div className={`faint ${styles.says}`}>{error ?? explanation}</div>
    </>
  );
}

const ACTION_LABELS = { stop: t`Stop`, unload: t`Unload`, load: t`Load` };

function ActionButtons({ model, actions }: { model: PrivateModel; actions: ModelActions }) {
  const action = getStateAction(model.state);
  const runAction = action === "load" ? actions.load : actions.unload;
  return (
    <div className="row wrapping buttons">
      {action ? (
        <button type="button" className="btn" onClick={() => runAction(model)}>
          {model.state === "failed" ? t`Try again` : ACTION_LABELS[action]}
          <span className="visually-hidden"> {model.id}</span>
        </button>
      ) : null}
      <button type="button" className="btn danger" onClick={() => actions.remove(model)}>
        {t`Delete`}
        <span className="visually-hidden"> {model.id}</span>
      </button>
    </div>
  );
}
