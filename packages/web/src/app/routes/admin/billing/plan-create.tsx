import type { PlanCreate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { z } from "zod";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { Form, type FormField } from "#/components/ui/forms/form.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { currenciesQuery } from "#/entities/plans/queries.ts";
import styles from "#/features/admin/admin.module.css";
import { adminPaths } from "#/features/admin/paths.ts";
import { listPlanFields, NEW_PLAN, planSchema, toPlanBody } from "#/features/admin/plans/plan-fields.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

const rules = planSchema.and(
  z.object({
    id: z.string().regex(/^[a-z][a-z0-9_]{2,63}$/, { error: t`Id is not valid: 3 to 64 small letters, digits and _.` }),
  }),
);
type Values = z.infer<typeof rules>;

const listFields = (currencies: readonly string[]): readonly FormField<Values>[] => [
  { name: "id", label: t`Id`, hint: t`For programs. It never changes.` },
  ...(listPlanFields(currencies) as readonly FormField<Values>[]),
];

/** Creates a plan. */
export default function AdminCreatePlanPage() {
  const navigate = useNavigate();
  const currencies = useQuery(currenciesQuery);
  const create = useAction((body: PlanCreate) => feather.admin.plans.create(body), {
    success: (plan) => t`${plan.name} is created`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <>
      <PageHeader
        title={t`Create plan`}
        description={t`It is not on sale until you say so below.`}
        parentPage={{ label: t`Plans`, to: adminPaths.plans }}
      />
      <Loaded subject={t`The currencies`} query={currencies}>
        {({ items }) => (
          <div className={styles.form}>
            <Form
              schema={rules}
              initial={{ ...NEW_PLAN, id: "" }}
              fields={listFields(items.map(({ code }) => code))}
              submitLabel={t`Create the plan`}
              block={false}
              submit={async ({ id, ...values }) => {
                await create.submit({ id, ...toPlanBody(values) });
                navigate(adminPaths.plans);
              }}
            />
          </div>
        )}
      </Loaded>
    </>
  );
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient): Promise<void> {
  await client.prefetchQuery(currenciesQuery);
}
