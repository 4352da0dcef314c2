import type { AdminUser } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { ListPage } from "#/components/list/list-page.tsx";
import { readList } from "#/components/list/list-params.ts";
import { useListState } from "#/components/list/use-list-state.ts";
import { adminPaths } from "#/features/admin/paths.ts";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { plansQuery, usersQuery } from "#/features/admin/users/queries.ts";
import { useUserMenu } from "#/features/admin/users/use-user-menu.tsx";
import { createUserColumns } from "#/features/admin/users/user-columns.tsx";
import { createUserFilters, toUsersQuery } from "#/features/admin/users/user-filters.ts";

/** All users, with filters and actions. */
export default function AdminUsersPage() {
  const plans = useQuery(plansQuery).data?.items;
  const filters = useMemo(() => createUserFilters(plans ?? []), [plans]);
  const list = useListState(filters);
  const users = useQuery(usersQuery(toUsersQuery(list.values, list.page)));
  const { actionsOf, dialogs } = useUserMenu(plans ?? []);
  const planName = (id: string) => plans?.find((plan) => plan.id === id)?.name ?? id;

  return (
    <>
      <ListPage
        title={t`Users`}
        description={t`Everybody with an account: what they may do, what they are on, and how to help them.`}
        action={
          <Link className="btn" to={adminPaths.invitations}>
            {t`Invitations`}
          </Link>
        }
        list={list}
        query={users}
        columns={[...createUserColumns(planName), createMenuColumn((user: AdminUser) => user.name, actionsOf)]}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{ title: t`Nobody yet`, text: t`As soon as somebody signs up, they stand here.` }}
      />
      {dialogs}
    </>
  );
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, { search }: PageLocation): Promise<void> {
  const { values, page } = readList(search, createUserFilters([]));
  await Promise.all([client.prefetchQuery(plansQuery), client.prefetchQuery(usersQuery(toUsersQuery(values, page)))]);
}
