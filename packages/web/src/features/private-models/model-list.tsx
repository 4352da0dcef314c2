import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { ModelId, Skeleton, State } from "#/components/ui/bits.tsx";
import { paths } from "#/config/paths.ts";
import { day, percent as inPercent } from "#/lib/format.ts";
import type { PrivateModel } from "./queries.ts";
import { aboutState, choiceOf } from "./states.ts";

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
    <table className="private-models mt-4">
      <caption className="visually-hidden">{t`Private models of the organization, newest first`}</caption>
      <thead>
        <tr>
          <th>{t`Model`}</th>
          <th>{t`State`}</th>
          <th className="w">{t`Class`}</th>
          <th className="w">{t`Added`}</th>
          {actions ? (
            <th>
              <span className="visually-hidden">{t`Actions`}</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {models === undefined
          ? WAITING.map((key) => (
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

const WAITING = ["a", "b"];

function Row({ model, actions }: { model: PrivateModel; actions: ModelActions | null }) {
  const { id, name, revision, model_class, created_at } = model;
  return (
    <tr>
      <td>
        <ModelId id={id} />
        <div className="small dim stranger">
          {id.endsWith(`/${name}`) ? null : `${name} · `}
          <span className="mono">{revision}</span>
        </div>
        <div className="row small mid mt-1">
          <Link className="link" to={paths.chat(id)}>
            {t`Chat`}
            <span className="visually-hidden">
              {" "}
              <Trans>with {id}</Trans>
            </span>
          </Link>
          {actions ? (
            <Link className="link" to={paths.newDeployment({ model: id })}>
              {t`Deploy`}
              <span className="visually-hidden"> {id}</span>
            </Link>
          ) : null}
        </div>
      </td>
      <td className="small">
        <StateOf model={model} />
      </td>
      <td className="w mono mid">{model_class ?? t`unknown`}</td>
      <td className="w mid num">{day(created_at)}</td>
      {actions ? (
        <td>
          <Buttons model={model} actions={actions} />
        </td>
      ) : null}
    </tr>
  );
}

function StateOf({ model: { id, state, progress, error } }: { model: PrivateModel }) {
  const { word, tone, says } = aboutState(state);
  const percent = progress === null ? null : Math.round(progress * 100);
  return (
    <>
      <State tier={tone}>
        {word}
        {percent === null ? "" : ` ${inPercent(percent / 100, 0)}`}
      </State>
      {percent === null ? null : (
        <progress className="bar" max={100} value={percent} aria-label={`${id}: ${word}`}>
          {percent} %
        </progress>
      )}
      <div className="dim says">{error ?? says}</div>
    </>
  );
}

const WORDS = { stop: t`Stop`, unload: t`Unload`, load: t`Load` };

function Buttons({ model, actions }: { model: PrivateModel; actions: ModelActions }) {
  const choice = choiceOf(model.state);
  const act = choice === "load" ? actions.load : actions.unload;
  return (
    <div className="row wraps buttons">
      {choice ? (
        <button type="button" className="btn" onClick={() => act(model)}>
          {model.state === "failed" ? t`Try again` : WORDS[choice]}
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
