import { t } from "@lingui/core/macro";
import { useNavigate } from "react-router-dom";
import { z } from "zod";
import { Form, type FormField } from "#/components/ui/form.tsx";
import { PageHead } from "#/features/admin/page-head.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { NEW_PLAN, PLAN_FIELDS, planBodyOf, planRules } from "#/features/admin/plans/plan-fields.ts";
import { useSaved } from "#/features/admin/use-act.ts";
import { feather } from "#/lib/feather.ts";

const rules = planRules.and(
  z.object({
    id: z.string().regex(/^[a-z][a-z0-9_]{2,63}$/, { error: t`Id is not valid: 3 to 64 small letters, digits and _.` }),
  }),
);
type Values = z.infer<typeof rules>;

const FIELDS: readonly FormField<Values>[] = [
  { name: "id", label: t`Id`, hint: t`For programs. It never changes.` },
  ...(PLAN_FIELDS as readonly FormField<Values>[]),
];

/** Creates a plan. */
export default function AdminCreatePlanPage() {
  const navigate = useNavigate();
  const saved = useSaved();
  return (
    <>
      <PageHead
        title={t`Create plan`}
        about={t`It is not on sale until you say so below.`}
        up={{ label: t`Plans`, to: adminPaths.plans }}
      />
      <div className="admin-form">
        <Form
          schema={rules}
          initial={{ ...NEW_PLAN, id: "" }}
          fields={FIELDS}
          submitLabel={t`Create the plan`}
          block={false}
          submit={async ({ id, ...values }) => {
            const plan = await feather.admin.plans.create({ id, ...planBodyOf(values) });
            await saved(t`${plan.name} is created`);
            navigate(adminPaths.plans);
          }}
        />
      </div>
    </>
  );
}
