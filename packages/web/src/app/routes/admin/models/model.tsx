import type { AdminModel, AdminModelUpdate } from "@feather/sdk";
import { isNotFound } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import styles from "#/features/admin/admin.module.css";
import { ModelAside } from "#/features/admin/models/model-aside.tsx";
import {
  MODEL_FORM_FIELDS,
  modelFormSchema,
  toModelFormValues,
  toModelUpdate,
} from "#/features/admin/models/model-fields.ts";
import { ModelReviews } from "#/features/admin/models/model-reviews.tsx";
import { ModelProbes } from "#/features/admin/models/probes/model-probes.tsx";
import { modelProbesQuery } from "#/features/admin/models/probes/queries.ts";
import { modelQuery, reviewsOfModelQuery } from "#/features/admin/models/queries.ts";
import { useModelActions } from "#/features/admin/models/use-model-actions.ts";
import { adminPaths } from "#/features/admin/paths.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { usePageTitle } from "#/lib/page-title.ts";
import { useAction } from "#/lib/use-action.ts";

/** One model: its editable facts, what it has shown, and its reviews. */
export default function AdminModelPage() {
  const { id = "" } = useParams();
  const navigate = useNavigate();
  const model = useQuery(modelQuery(id));
  const { redeploy, remove } = useModelActions();
  usePageTitle(model.data ? t`Admin > ${model.data.id}` : undefined);
  if (isNotFound(model.error)) return <ErrorView error={{ statusCode: 404, message: t`There is no model ${id}.` }} />;
  return (
    <>
      <PageHeader
        title={<ModelId id={model.data?.id ?? id} />}
        parentPage={{ label: t`Models`, to: adminPaths.models }}
        action={
          model.data ? (
            <>
              <Link className="btn" to={paths.model(model.data.id)}>
                {t`See its page`}
              </Link>
              <button type="button" className="btn" onClick={() => void redeploy(id)}>
                {t`Redeploy`}
              </button>
              <button
                type="button"
                className="btn danger"
                onClick={() => remove(id, () => void navigate(adminPaths.models))}
              >
                {t`Delete`}
              </button>
            </>
          ) : null
        }
      />
      {model.isError ? (
        <LoadError subject={t`The model`} error={model.error} retry={() => void model.refetch()} />
      ) : (
        <div className={styles.split}>
          <div>
            {model.data ? (
              <FactsForm key={model.data.updated_at.getTime()} model={model.data} />
            ) : (
              <Skeleton height={600} />
            )}
            <h2 className="h3 mt-8">{t`What it has shown`}</h2>
            <ModelProbes id={id} />
            <h2 className="h3 mt-8">{t`Reviews`}</h2>
            <ModelReviews id={id} />
          </div>
          <aside aria-label={t`Facts`}>
            {model.data ? <ModelAside model={model.data} /> : <Skeleton height={320} />}
          </aside>
        </div>
      )}
    </>
  );
}

function FactsForm({ model }: { model: AdminModel }) {
  const before = toModelFormValues(model);
  const save = useAction(
    async (changes: AdminModelUpdate) => {
      if (Object.keys(changes).length > 0) await feather.admin.models.update(model.id, changes);
    },
    {
      success: (_, changes) => (Object.keys(changes).length > 0 ? t`${model.id} is saved` : t`Nothing was changed`),
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  return (
    <div className={styles.form}>
      <Form
        schema={modelFormSchema}
        initial={before}
        fields={MODEL_FORM_FIELDS}
        submitLabel={t`Save the model`}
        block={false}
        submit={(values) => save.submit(toModelUpdate(before, values))}
      />
    </div>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { params: { id = "" } }: PageLocation): Promise<unknown> =>
  Promise.all([
    client.prefetchQuery(modelQuery(id)),
    client.prefetchQuery(modelProbesQuery(id)),
    client.prefetchQuery(reviewsOfModelQuery(id)),
  ]);
