import { can } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router-dom";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { paths } from "#/config/paths.ts";
import { privateModelsQuery } from "#/entities/models/private-model-queries.ts";
import { describeState } from "#/entities/models/private-model-states.ts";
import { useUser } from "#/entities/session/user.ts";
import { NotOnPlanNotice } from "#/features/deployments/not-on-plan-notice.tsx";
import { ReadOnlyNotice } from "#/features/deployments/read-only-notice.tsx";
import { AddModelForm } from "#/features/private-models/add-model-form.tsx";
import { ModelList } from "#/features/private-models/model-list.tsx";
import { useModelActions } from "#/features/private-models/use-model-actions.ts";
import styles from "./private-models.module.css";

/** The private models of the organization. `?add` opens the form, with the model id as its value. */
export default function PrivateModelsPage() {
  const { user } = useUser();
  const [params, setParams] = useSearchParams();
  const { data, error, refetch } = useQuery(privateModelsQuery);
  const { add, ...actions } = useModelActions();
  const plan = user?.organization.current_subscription?.plan;
  const maxModels = plan ? plan.private_models : null;
  const manages = user !== null && can(user, "manage_models");
  const lacksPlan = plan !== undefined && maxModels === 0;
  const addParam = params.get("add");
  const isEmpty = data?.length === 0;
  const adding = manages && !lacksPlan && (addParam !== null || isEmpty);
  const close = () => setParams(new URLSearchParams(), { replace: true });

  return (
    <>
      <div className="row between wrapping">
        <h1 className="h2">{t`Private Models`}</h1>
        {manages && !lacksPlan && data && !adding ? (
          <button type="button" className="btn primary" onClick={() => setParams({ add: "" })}>
            {t`Add a model`}
          </button>
        ) : null}
      </div>
      <p className={`muted mt-2 ${styles.intro}`}>
        <Trans>
          A repository of the model hub, fetched and served for your organization alone.{" "}
          <Link className="link" to={paths.docs("private-models")}>
            How private models work
          </Link>
        </Trans>
      </p>
      <ReadOnlyNotice user={user} permission="manage_models" what={t`the private models`} />
      {lacksPlan ? <NotOnPlanNotice planName={plan.name} what={t`private models`} /> : null}
      {error ? <LoadError subject={t`The private models`} error={error} retry={() => void refetch()} /> : null}
      {adding ? (
        <section className="mt-6" aria-labelledby="add">
          <h2 className="h3 mb-4" id="add">
            {isEmpty ? t`No private models yet. Add the first` : t`Add a model`}
          </h2>
          <AddModelForm
            id={addParam ?? ""}
            load={async (draft) => {
              await add(draft);
              close();
            }}
            cancel={
              isEmpty ? null : (
                <button type="button" className="btn" onClick={close}>
                  {t`Cancel`}
                </button>
              )
            }
          />
        </section>
      ) : null}
      {data === undefined ? (
        error ? null : (
          <div className="mt-4" aria-busy="true">
            <span className="visually-hidden" role="status">
              {t`Loading private models`}
            </span>
            <ModelList models={undefined} actions={null} />
          </div>
        )
      ) : data.length > 0 ? (
        <section className="mt-6" aria-label={t`Your models`}>
          <p className="small muted num">
            {maxModels === null ? t`${data.length}, without a limit` : t`${data.length} of ${maxModels} on your plan`}
          </p>
          <ModelList models={data} actions={manages ? actions : null} />
          <p className="visually-hidden" role="status">
            {data.map(({ id, state }) => t`${id} is ${describeState(state).label}`).join(". ")}
          </p>
        </section>
      ) : adding ? null : (
        <EmptyState
          title={t`No private models yet`}
          action={
            lacksPlan ? (
              <Link className="btn primary" to={paths.pricing}>
                {t`See the plans`}
              </Link>
            ) : undefined
          }
        >
          {t`Models of your own stand here with their state: fetched from the hub once, then called like any other by those in your organization.`}
        </EmptyState>
      )}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(privateModelsQuery);
