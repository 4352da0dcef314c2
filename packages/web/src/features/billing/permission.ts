import { t } from "@lingui/core/macro";
import { can } from "#/features/auth/can.ts";
import { type User, useUser } from "#/features/auth/user.ts";
import { useIsSold } from "#/lib/site-config.ts";

/**
 * Why the user may view billing but not pay: their role, an impersonation, or payments being off. Null when they may.
 */
export type Barrier = { kind: "role" | "impersonation" | "off"; words: string } | null;

/** Only admins of an organization may pay. */
function billingBarrier(user: User): Barrier {
  const { organization, impersonated_by } = user;
  if (impersonated_by)
    return { kind: "impersonation", words: t`You are acting as somebody else. Payments are closed meanwhile.` };
  if (can(user, "manage_billing")) return null;
  return {
    kind: "role",
    words: t`You are a ${organization.role} of ${organization.name}. Its admins look after plan, cards and invoices: ask one of them.`,
  };
}

function offBarrier(where: "payments" | "marketplaces"): Barrier {
  const words =
    where === "payments"
      ? t`Payments are switched off on this server. An admin can put your organization on a plan.`
      : t`Cloud marketplaces are switched off on this server.`;
  return { kind: "off", words };
}

/**
 * Returns whether the signed-in user may view billing data, and why they may not change it. Impersonating admins may
 * only view it.
 */
export function useBilling(where: "payments" | "marketplaces" = "payments"): {
  sees: boolean;
  barrier: Barrier;
  organization: string;
  loading: boolean;
} {
  const { user, loading } = useUser();
  const isSold = useIsSold(where);
  if (!user) return { sees: false, barrier: null, organization: "", loading };
  const barrier = billingBarrier(user) ?? (isSold ? null : offBarrier(where));
  return { sees: can(user, "manage_billing"), barrier, organization: user.organization.name, loading };
}
