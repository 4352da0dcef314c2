import { can, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useUser } from "#/entities/session/user.ts";
import { useSalesEnabled } from "#/lib/site-config.ts";

/**
 * Why the user may view billing but not pay: their role, an impersonation, or payments being off. Null when they may.
 */
export type ReadOnlyReason = { kind: "role" | "impersonation" | "off"; message: string } | null;

/** Only admins of an organization may pay. */
function getRoleReason(user: User): ReadOnlyReason {
  const { organization, impersonated_by } = user;
  if (impersonated_by)
    return { kind: "impersonation", message: t`You are acting as somebody else. Payments are closed meanwhile.` };
  if (can(user, "manage_billing")) return null;
  return {
    kind: "role",
    message: t`You are a ${organization.role} of ${organization.name}. Its admins look after plan, cards and invoices: ask one of them.`,
  };
}

function getDisabledReason(channel: "payments" | "marketplaces"): ReadOnlyReason {
  const message =
    channel === "payments"
      ? t`Payments are switched off on this server. An admin can put your organization on a plan.`
      : t`Cloud marketplaces are switched off on this server.`;
  return { kind: "off", message };
}

/**
 * Returns whether the signed-in user may view billing data, and why they may not change it. Impersonating admins may
 * only view it.
 */
export function useBillingPermission(channel: "payments" | "marketplaces" = "payments"): {
  canView: boolean;
  readOnlyReason: ReadOnlyReason;
  organization: string;
  loading: boolean;
} {
  const { user, loading } = useUser();
  const isSold = useSalesEnabled(channel);
  if (!user) return { canView: false, readOnlyReason: null, organization: "", loading };
  const readOnlyReason = getRoleReason(user) ?? (isSold ? null : getDisabledReason(channel));
  return { canView: can(user, "manage_billing"), readOnlyReason, organization: user.organization.name, loading };
}
