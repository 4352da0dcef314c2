import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { paths } from "#/config/paths.ts";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import { useList } from "#/features/admin/list/use-list.ts";
import { menuColumn } from "#/features/admin/row-menu.tsx";
import { useAct } from "#/features/admin/use-act.ts";
import { type AdminUser, plansQuery, usersQuery } from "#/features/admin/users/queries.ts";
import { userColumns } from "#/features/admin/users/user-columns.tsx";
import {
  ActAsDialog,
  CreditsDialog,
  PlanDialog,
  RewardDialog,
  SuspendDialog,
} from "#/features/admin/users/user-dialogs.tsx";
import { userFilters, usersQueryOf } from "#/features/admin/users/user-filters.ts";
import { userQuery, useUser } from "#/features/auth/user.ts";
import { feather } from "#/lib/feather.ts";

type Open = { what: "suspend" | "credits" | "plan" | "reward" | "act"; user: AdminUser };

export default function AdminUsersPage() {
  const { user: me } = useUser();
  const plans = useQuery(plansQuery).data?.items;
  const filters = useMemo(() => userFilters(plans ?? []), [plans]);
  const list = useList(filters);
  const users = useQuery(usersQuery(usersQueryOf(list.values, list.page)));
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const { letIn, setAdmin, confirmEmail } = useUserActions();
  const started = useStarted();

  const actionsOf = (user: AdminUser) => {
    const own = user.id === me?.id;
    const opens = (label: string, what: Open["what"]) => ({ label, run: () => setOpen({ what, user }) });
    return [
      !own && !user.is_admin && !user.suspended_at && opens(t`Act as this user`, "act"),
      opens(t`Grant a plan`, "plan"),
      opens(t`Book credits`, "credits"),
      opens(t`Set referral reward`, "reward"),
      !user.email_verified && { label: t`Confirm the e-mail`, run: () => void confirmEmail(user) },
      { label: user.is_admin ? t`Take admin away` : t`Make admin`, run: () => setAdmin(user, !user.is_admin) },
      !own &&
        (user.suspended_at
          ? { label: t`Let in again`, run: () => void letIn(user) }
          : { ...opens(t`Suspend`, "suspend"), destructive: true }),
    ];
  };
  const planName = (id: string) => plans?.find((plan) => plan.id === id)?.name ?? id;

  return (
    <>
      <ListPage
        title={t`Users`}
        about={t`Everybody with an account: what they may do, what they are on, and how to help them.`}
        list={list}
        query={users}
        columns={[...userColumns(planName), menuColumn((user: AdminUser) => user.name, actionsOf)]}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{ title: t`Nobody yet`, text: t`As soon as somebody signs up, they stand here.` }}
      />
      {open?.what === "suspend" ? <SuspendDialog user={open.user} close={close} /> : null}
      {open?.what === "credits" ? <CreditsDialog user={open.user} close={close} /> : null}
      {open?.what === "plan" ? <PlanDialog user={open.user} close={close} plans={plans ?? []} /> : null}
      {open?.what === "reward" ? <RewardDialog user={open.user} close={close} /> : null}
      {open?.what === "act" ? <ActAsDialog user={open.user} close={close} started={started} /> : null}
    </>
  );
}

function useUserActions() {
  const act = useAct();
  const confirm = useConfirm();
  const update = feather.admin.users.update;

  function setAdmin(user: AdminUser, on: boolean): void {
    confirm({
      title: on ? t`Make ${user.name} an admin` : t`Take admin away from ${user.name}`,
      description: on
        ? t`${user.email} may then do everything that you may: read every account, change prices, suspend people.`
        : t`${user.email} loses the admin area at once.`,
      confirmButtonText: on ? t`Make ${user.username} admin` : t`Take it from ${user.username}`,
      destructive: !on,
      action: async () => {
        await act(() => update(user.id, { is_admin: on }), {
          title: on ? t`${user.name} is an admin` : t`${user.name} is no admin any more`,
        });
      },
    });
  }

  return {
    setAdmin,
    letIn: (user: AdminUser) =>
      act(() => update(user.id, { suspended: false }), { title: t`${user.name} is in again` }),
    confirmEmail: (user: AdminUser) =>
      act(() => update(user.id, { email_verified: true }), { title: t`${user.email} is confirmed` }),
  };
}

/** What follows when one has become somebody else: nothing of before is shown to them. */
function useStarted(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await client.fetchQuery({ ...userQuery, staleTime: 0 });
    navigate(paths.home);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "user" });
  };
}
