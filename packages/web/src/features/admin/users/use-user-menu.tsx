import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { paths } from "#/config/paths.ts";
import { userQuery, useUser } from "#/features/auth/user.ts";
import { feather } from "#/lib/feather.ts";
import type { RowAction } from "../row-menu.tsx";
import { useAct } from "../use-act.ts";
import type { AdminUser } from "./queries.ts";
import {
  ActAsDialog,
  CreditsDialog,
  PlanDialog,
  RefuseDialog,
  ResetFactorDialog,
  RewardDialog,
  SuspendDialog,
} from "./user-dialogs.tsx";

type Open = { what: "suspend" | "credits" | "plan" | "reward" | "act" | "refuse" | "factor"; user: AdminUser };
type Plans = readonly { id: string; name: string }[];

/** The actions on a user, and the dialogs they open. */
export function useUserMenu(plans: Plans): { actionsOf(user: AdminUser): (RowAction | false)[]; dialogs: ReactNode } {
  const { user: me } = useUser();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const { letIn, setAdmin, confirmEmail, approve } = useUserActions();
  const started = useStarted();

  const actionsOf = (user: AdminUser) => {
    const own = user.id === me?.id;
    const opens = (label: string, what: Open["what"]) => ({ label, run: () => setOpen({ what, user }) });
    if (user.approval_requested_at)
      return [
        { label: t`Approve`, run: () => void approve(user) },
        { ...opens(t`Refuse`, "refuse"), destructive: true },
      ];
    return [
      !own && !user.is_admin && !user.suspended_at && opens(t`Act as this user`, "act"),
      !own && user.has_second_factor && opens(t`Reset the second factor`, "factor"),
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

  const dialogs =
    open?.what === "suspend" ? (
      <SuspendDialog user={open.user} close={close} />
    ) : open?.what === "refuse" ? (
      <RefuseDialog user={open.user} close={close} />
    ) : open?.what === "factor" ? (
      <ResetFactorDialog user={open.user} close={close} hasPassword={me?.has_password ?? true} />
    ) : open?.what === "credits" ? (
      <CreditsDialog user={open.user} close={close} />
    ) : open?.what === "plan" ? (
      <PlanDialog user={open.user} close={close} plans={plans} />
    ) : open?.what === "reward" ? (
      <RewardDialog user={open.user} close={close} />
    ) : open?.what === "act" ? (
      <ActAsDialog user={open.user} close={close} started={started} />
    ) : null;
  return { actionsOf, dialogs };
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
    approve: (user: AdminUser) =>
      act(() => feather.admin.users.approve(user.id), { title: t`${user.email} may log in` }),
    letIn: (user: AdminUser) =>
      act(() => update(user.id, { suspended: false }), { title: t`${user.name} is in again` }),
    confirmEmail: (user: AdminUser) =>
      act(() => update(user.id, { email_verified: true }), { title: t`${user.email} is confirmed` }),
  };
}

/**
 * Returns a function that reloads the session after an impersonation has started and drops all cached data of the
 * admin.
 */
function useStarted(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await client.fetchQuery({ ...userQuery, staleTime: 0 });
    navigate(paths.home);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "user" });
  };
}
