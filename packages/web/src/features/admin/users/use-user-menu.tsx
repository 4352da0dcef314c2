import type { AdminUser } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { evictSessionData, userQuery, useUser } from "#/entities/session/user.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useTestDriver } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import type { RowAction } from "../row-menu.tsx";
import { AdminRightsDialog } from "./admin-rights-dialog.tsx";
import { AdvanceTimeDialog } from "./advance-time-dialog.tsx";
import { ConfirmAddressDialog } from "./confirm-address-dialog.tsx";
import { CreditsDialog } from "./credits-dialog.tsx";
import { ImpersonateDialog } from "./impersonate-dialog.tsx";
import { PlanDialog } from "./plan-dialog.tsx";
import { RefuseDialog } from "./refuse-dialog.tsx";
import { ResetFactorDialog } from "./reset-factor-dialog.tsx";
import { RewardDialog } from "./reward-dialog.tsx";
import { SuspendDialog } from "./suspend-dialog.tsx";

type OpenDialog = {
  dialog: "suspend" | "credits" | "plan" | "reward" | "act" | "refuse" | "factor" | "admin" | "address" | "time";
  user: AdminUser;
};
type Plans = readonly { id: string; name: string }[];

/** The actions on a user, and the dialogs they open. */
export function useUserMenu(plans: Plans): { actionsOf(user: AdminUser): (RowAction | false)[]; dialogs: ReactNode } {
  const { user: me } = useUser();
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const close = () => setOpenDialog(null);
  const { unsuspend, approve } = useUserActions();
  const onStarted = useSwitchToUser();
  const hasPassword = me?.has_password ?? true;
  const isTest = useTestDriver();

  const actionsOf = (user: AdminUser) => {
    const isSelf = user.id === me?.id;
    const createDialogAction = (label: string, dialog: OpenDialog["dialog"]) => ({
      label,
      run: () => setOpenDialog({ dialog, user }),
    });
    if (user.approval_requested_at)
      return [
        { label: t`Approve`, run: () => void approve(user) },
        { ...createDialogAction(t`Refuse`, "refuse"), destructive: true },
      ];
    return [
      !isSelf && !user.is_admin && !user.suspended_at && createDialogAction(t`Act as this user`, "act"),
      !isSelf && user.has_second_factor && createDialogAction(t`Reset the second factor`, "factor"),
      createDialogAction(t`Grant a plan`, "plan"),
      createDialogAction(t`Book credits`, "credits"),
      createDialogAction(t`Set referral reward`, "reward"),
      isTest && createDialogAction(t`Advance the time`, "time"),
      !user.email_verified && createDialogAction(t`Confirm the e-mail`, "address"),
      createDialogAction(user.is_admin ? t`Take admin away` : t`Make admin`, "admin"),
      !isSelf &&
        (user.suspended_at
          ? { label: t`Let in again`, run: () => void unsuspend(user) }
          : { ...createDialogAction(t`Suspend`, "suspend"), destructive: true }),
    ];
  };

  const dialogs =
    openDialog?.dialog === "suspend" ? (
      <SuspendDialog user={openDialog.user} close={close} hasPassword={hasPassword} />
    ) : openDialog?.dialog === "admin" ? (
      <AdminRightsDialog user={openDialog.user} close={close} hasPassword={hasPassword} />
    ) : openDialog?.dialog === "address" ? (
      <ConfirmAddressDialog user={openDialog.user} close={close} hasPassword={hasPassword} />
    ) : openDialog?.dialog === "refuse" ? (
      <RefuseDialog user={openDialog.user} close={close} />
    ) : openDialog?.dialog === "factor" ? (
      <ResetFactorDialog user={openDialog.user} close={close} hasPassword={hasPassword} />
    ) : openDialog?.dialog === "credits" ? (
      <CreditsDialog user={openDialog.user} close={close} />
    ) : openDialog?.dialog === "plan" ? (
      <PlanDialog user={openDialog.user} close={close} plans={plans} />
    ) : openDialog?.dialog === "reward" ? (
      <RewardDialog user={openDialog.user} close={close} />
    ) : openDialog?.dialog === "time" ? (
      <AdvanceTimeDialog user={openDialog.user} close={close} />
    ) : openDialog?.dialog === "act" ? (
      <ImpersonateDialog user={openDialog.user} close={close} onStarted={onStarted} />
    ) : null;
  return { actionsOf, dialogs };
}

function useUserActions() {
  const approve = useAction((user: AdminUser) => feather.admin.users.approve(user.id), {
    success: (_, user) => t`${user.email} may log in`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const unsuspend = useAction((user: AdminUser) => feather.admin.users.update(user.id, { suspended: false }), {
    success: (_, user) => t`${user.name} is in again`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return { approve: approve.run, unsuspend: unsuspend.run };
}

/**
 * Returns a function that reloads the session after an impersonation has started and drops all cached data of the
 * admin.
 */
function useSwitchToUser(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await client.fetchQuery({ ...userQuery, staleTime: 0 });
    navigate(paths.home);
    evictSessionData(client);
  };
}
