import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { Form } from "#/components/ui/form.tsx";
import { PageHead } from "#/features/admin/page-head.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { PLAN_FIELDS, planBodyOf, planRules, planValuesOf } from "#/features/admin/plans/plan-fields.ts";
import type { Plan } from "#/features/admin/plans/queries.ts";
import { useSaved } from "#/features/admin/use-act.ts";
import { plansQuery } from "#/features/admin/users/queries.ts";
import { feather } from "#/lib/feather.ts";

/** Edits a plan. */
export default function AdminPlanPage() {
  const { id = "" } = useParams();
  const plans = useQuery(plansQuery);
  const plan = plans.data?.items.find((item) => item.id === id);
  if (plans.data && !plan) return <ErrorView error={{ statusCode: 404, message: t`There is no plan ${id}.` }} />;
  return (
    <>
      <PageHead
        title={plan?.name ?? id}
        about={t`Limits hold at once for everybody on this plan. A price holds for those who buy from now on, and for others once you announce it.`}
        up={{ label: t`Plans`, to: adminPaths.plans }}
      />
      {plans.isError ? (
        <ReadFault what={t`The plan`} error={plans.error} again={() => void plans.refetch()} />
      ) : plan ? (
        <PlanForm key={plan.id} plan={plan} />
      ) : (
        <Skeleton height={640} />
      )}
    </>
  );
}

function PlanForm({ plan }: { plan: Plan }) {
  const saved = useSaved();
  const navigate = useNavigate();
  return (
    <div className="admin-form">
      <Form
        schema={planRules}
        initial={planValuesOf(plan)}
        fields={PLAN_FIELDS}
        submitLabel={t`Save the plan`}
        block={false}
        submit={async (values) => {
          await feather.admin.plans.update(plan.id, planBodyOf(values));
          await saved(t`${values.name} is saved`);
          navigate(adminPaths.plans);
        }}
      />
    </div>
  );
}
