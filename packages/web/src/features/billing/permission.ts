import { t } from "@lingui/core/macro";
import { type User, useUser } from "#/features/auth/user.ts";

/** Why somebody may look but not pay: their role, or that an admin acts in their place. Null when they may. */
export type Barrier = { kind: "role"; words: string } | { kind: "impersonation"; words: string } | null;

/** Money is the business of an organization's admins. */
function billingBarrier({ organization, impersonated_by }: User): Barrier {
  if (impersonated_by)
    return { kind: "impersonation", words: t`You are acting as somebody else. Payments are closed meanwhile.` };
  if (organization.role === "admin") return null;
  return {
    kind: "role",
    words: t`You are a ${organization.role} of ${organization.name}. Its admins look after plan, cards and invoices: ask one of them.`,
  };
}

/** Whether the signed-in user may see what belongs to money, and change it. Admins who act as somebody may look. */
export function useBilling(): { sees: boolean; barrier: Barrier; organization: string; loading: boolean } {
  const { user, loading } = useUser();
  if (!user) return { sees: false, barrier: null, organization: "", loading };
  const barrier = billingBarrier(user);
  return { sees: user.organization.role === "admin", barrier, organization: user.organization.name, loading };
}
