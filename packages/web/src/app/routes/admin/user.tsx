import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import styles from "#/features/admin/admin.module.css";
import { adminPaths } from "#/features/admin/paths.ts";
import { RowMenu } from "#/features/admin/row-menu.tsx";
import { plansQuery, userByIdQuery } from "#/features/admin/users/queries.ts";
import { useUserMenu } from "#/features/admin/users/use-user-menu.tsx";
import { UserActivity, userActivityQuery } from "#/features/admin/users/user-activity.tsx";
import { UserDetails } from "#/features/admin/users/user-details.tsx";

/** One user: facts, plan, history and actions. */
export default function AdminUserPage() {
  const { id = "" } = useParams();
  const { data: user, error, refetch } = useQuery(userByIdQuery(id));
  const plans = useQuery(plansQuery).data?.items;
  const { actionsOf, dialogs } = useUserMenu(plans ?? []);
  const gone = isApiError(error) && error.status === 404;
  return (
    <>
      <PageHeader
        title={<bdi>{user?.name ?? t`User`}</bdi>}
        description={user ? <bdi>{user.email}</bdi> : undefined}
        parentPage={{ label: t`Users`, to: adminPaths.users }}
        action={user ? <RowMenu name={user.name} actions={actionsOf(user)} hasTextTrigger /> : undefined}
      />
      {gone ? (
        <EmptyState
          title={t`There is no such user`}
          action={
            <Link className="btn primary" to={adminPaths.users}>
              {t`All users`}
            </Link>
          }
        >
          {t`The account was deleted, or the address is wrong. What was done with it still stands in the audit log.`}
        </EmptyState>
      ) : error && !user ? (
        <LoadError subject={t`The user`} error={error} retry={() => void refetch()} />
      ) : (
        <div className={styles.split}>
          <UserActivity id={id} />
          <UserDetails user={user} plan={plans?.find((plan) => plan.id === user?.plan_id)?.name ?? user?.plan_id} />
        </div>
      )}
      {dialogs}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { params: { id = "" } }: PageLocation): Promise<unknown> =>
  Promise.all([
    client.prefetchQuery(userByIdQuery(id)),
    client.prefetchQuery(userActivityQuery(id)),
    client.prefetchQuery(plansQuery),
  ]);
