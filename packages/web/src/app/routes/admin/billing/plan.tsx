import type { Plan, PlanUpdate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { currenciesQuery } from "#/entities/plans/queries.ts";
import styles from "#/features/admin/admin.module.css";
import { adminPaths } from "#/features/admin/paths.ts";
import { listPlanFields, planSchema, toPlanBody, toPlanValues } from "#/features/admin/plans/plan-fields.ts";
import { PlanSubscribersNote } from "#/features/admin/plans/plan-subscribers.tsx";
import { planSubscribersQuery } from "#/features/admin/plans/queries.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { plansQuery } from "#/features/admin/users/queries.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

/** Edits a plan. */
export default function AdminPlanPage() {
  const { id = "" } = useParams();
  const plans = useQuery(plansQuery);
  const plan = plans.data?.items.find((item) => item.id === id);
  if (plans.data && !plan) return <ErrorView error={{ statusCode: 404, message: t`There is no plan ${id}.` }} />;
  return (
    <>
      <PageHeader
        title={plan?.name ?? id}
        description={t`Limits hold at once for everybody on this plan. A price holds for those who buy from now on, and for others once you announce it.`}
        parentPage={{ label: t`Plans`, to: adminPaths.plans }}
      />
      {plans.isError ? (
        <LoadError subject={t`The plan`} error={plans.error} retry={() => void plans.refetch()} />
      ) : plan ? (
        <>
          <PlanSubscribersNote id={plan.id} />
          <PlanForm key={plan.id} plan={plan} />
        </>
      ) : (
        <Skeleton height={640} />
      )}
    </>
  );
}

function PlanForm({ plan }: { plan: Plan }) {
  const save = useAction((body: PlanUpdate) => feather.admin.plans.update(plan.id, body), {
    success: ({ name }) => t`${name} is saved`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const navigate = useNavigate();
  const currencies = useQuery(currenciesQuery).data?.items.map(({ code }) => code) ?? [];
  return (
    <div className={styles.form}>
      <Form
        schema={planSchema}
        initial={toPlanValues(plan)}
        fields={listPlanFields(currencies, plan)}
        submitLabel={t`Save the plan`}
        block={false}
        submit={async (values) => {
          await save.submit(toPlanBody(values));
          navigate(adminPaths.plans);
        }}
      />
    </div>
  );
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, { params }: PageLocation): Promise<void> {
  await Promise.all([
    client.prefetchQuery(plansQuery),
    client.prefetchQuery(currenciesQuery),
    client.prefetchQuery(planSubscribersQuery(params.id ?? "")),
  ]);
}
