import { can } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useUser } from "#/entities/session/user.ts";

/** Returns why the user may view applications but not change them; null when they may. */
export function useApplicationsReadOnlyReason(): string | null {
  const { user } = useUser();
  if (!user) return null;
  const { organization, impersonated_by } = user;
  if (impersonated_by) return t`You are acting as somebody else. Applications cannot be changed meanwhile.`;
  if (can(user, "manage_applications")) return null;
  return t`You are a viewer of ${organization.name}. Its developers and admins look after applications: ask one of them.`;
}
