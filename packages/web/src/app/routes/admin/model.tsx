import { isNotFound } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { ModelId, Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { Form } from "#/components/ui/form.tsx";
import { paths } from "#/config/paths.ts";
import { ModelAside } from "#/features/admin/models/model-aside.tsx";
import { changesOf, FACT_FIELDS, factRules, factsOf } from "#/features/admin/models/model-fields.ts";
import { ModelReviews } from "#/features/admin/models/model-reviews.tsx";
import { type AdminModel, modelQuery } from "#/features/admin/models/queries.ts";
import { useModelActions } from "#/features/admin/models/use-model-actions.ts";
import { PageHead } from "#/features/admin/page-head.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { useSaved } from "#/features/admin/use-act.ts";
import { feather } from "#/lib/feather.ts";
import { usePageTitle } from "#/lib/page-title.ts";

/** One model: its editable facts and its reviews. */
export default function AdminModelPage() {
  const { id = "" } = useParams();
  const navigate = useNavigate();
  const model = useQuery(modelQuery(id));
  const { redeploy, remove } = useModelActions();
  usePageTitle(model.data ? t`Admin > ${model.data.id}` : undefined);
  if (isNotFound(model.error)) return <ErrorView error={{ statusCode: 404, message: t`There is no model ${id}.` }} />;
  return (
    <>
      <PageHead
        title={<ModelId id={model.data?.id ?? id} />}
        up={{ label: t`Models`, to: adminPaths.models }}
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
        <ReadFault what={t`The model`} error={model.error} again={() => void model.refetch()} />
      ) : (
        <div className="split">
          <div>
            {model.data ? (
              <FactsForm key={model.data.updated_at.getTime()} model={model.data} />
            ) : (
              <Skeleton height={600} />
            )}
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
  const saved = useSaved();
  const before = factsOf(model);
  return (
    <div className="admin-form">
      <Form
        schema={factRules}
        initial={before}
        fields={FACT_FIELDS}
        submitLabel={t`Save the model`}
        block={false}
        submit={async (now) => {
          const changes = changesOf(before, now);
          if (Object.keys(changes).length > 0) await feather.admin.models.update(model.id, changes);
          await saved(Object.keys(changes).length > 0 ? t`${model.id} is saved` : t`Nothing was changed`);
        }}
      />
    </div>
  );
}
