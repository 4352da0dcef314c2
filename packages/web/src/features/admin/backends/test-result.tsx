import type { Backend, BackendTest, BackendTestModel } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import styles from "#/components/list/bulk/bulk-results.module.css";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatCount } from "#/lib/format.ts";
import { AliasForm } from "./alias-form.tsx";
import { isEditable } from "./backend-labels.ts";
import { UnsizedModels } from "./unsized-models.tsx";

const MAX_FORMS = 20;
/** Why models cannot be called without an alias. */
const PROBLEMS = [
  {
    problem: "not_an_id",
    describe: (count: number) =>
      plural(count, {
        one: "# model cannot be called, because its name cannot be an id (owner/name). Give it one:",
        other: "# models cannot be called, because their names cannot be ids (owner/name). Give them ids:",
      }),
  },
  {
    problem: "same_id",
    describe: (count: number) =>
      plural(count, {
        one: "# model cannot be called, because another one of this backend has its id. Give it another:",
        other: "# models cannot be called, because others of this backend have their ids. Give them others:",
      }),
  },
] as const;

type Props = {
  backend: Backend;
  result: BackendTest;
  /** Gives a model of the backend an id. */
  saveAlias(model: BackendTestModel, as: string): Promise<unknown>;
  close(): void;
};

/** The result of testing a backend, with a field for the id of each model that cannot be called without an alias. */
export function TestResult({ backend, result, saveAlias, close }: Props) {
  const { name } = backend;
  const callable = result.model_details.filter(({ problem }) => problem === null);
  return (
    <section className={styles.results} aria-label={t`Test of ${name}`}>
      <div className="row between">
        <h2 className="h4">
          <span role="status">
            <StateBadge tier={result.ok ? "good" : "bad"}>
              {name} {result.ok ? t`answers` : result.call ? t`does not answer calls` : t`does not answer`}
            </StateBadge>
          </span>
        </h2>
        <button type="button" className="btn ghost" onClick={close}>
          {t`Close`}
        </button>
      </div>
      {result.error === null ? <Findings result={result} /> : <p className="mt-2 user-text">{result.error}</p>}
      {result.advice === null ? null : <p className="small muted mt-1 user-text">{result.advice}</p>}
      {callable.length > 0 ? (
        <p className="mono small mt-2 user-text">{callable.map((model) => model.name).join(", ")}</p>
      ) : null}
      <UnsizedModels
        ids={callable.flatMap(({ id, parameter_size }) => (parameter_size === null && id !== null ? id : []))}
      />
      {PROBLEMS.map(({ problem, describe }) => {
        const models = result.model_details.filter((model) => model.problem === problem);
        const title = describe(models.length);
        return models.length > 0 ? <UnusableModels key={problem} {...{ title, backend, models, saveAlias }} /> : null;
      })}
    </section>
  );
}

/** How many models a backend that answers has, and how long the call of one took. */
function Findings({ result: { models, call } }: { result: BackendTest }) {
  return (
    <p className="small muted mt-2 user-text">
      {plural(models.length, { one: "# model.", other: "# models." })}{" "}
      {call ? t`${call.model} answered in ${formatCount(call.duration_ms)} ms.` : null}
    </p>
  );
}

function UnusableModels({
  title,
  backend,
  models,
  saveAlias,
}: Pick<Props, "backend" | "saveAlias"> & { title: string; models: readonly BackendTestModel[] }) {
  const remaining = models.length - MAX_FORMS;
  return (
    <>
      <p className="small strong mt-4">{title}</p>
      {isEditable(backend) ? (
        models
          .slice(0, MAX_FORMS)
          .map((model) => <AliasForm key={model.name} name={model.name} save={(as) => saveAlias(model, as)} />)
      ) : (
        <>
          <p className="mono small mt-2 user-text">{models.map(({ name }) => name).join(", ")}</p>
          <p className="small muted mt-2">{t`FEATHER_BACKENDS can give ids: "aliases": [{"name": "…", "as": "owner/name"}].`}</p>
        </>
      )}
      {isEditable(backend) && remaining > 0 ? (
        <p className="small muted mt-2">
          {plural(remaining, {
            one: "# more: choose “Change”, which has a field for all aliases.",
            other: "# more: choose “Change”, which has a field for all aliases.",
          })}
        </p>
      ) : null}
    </>
  );
}
