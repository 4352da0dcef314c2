import type { RouteRuleCondition } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** Describes to whom a redirect rule applies. */
export function formatConditions({ auth, plan, email_verified }: RouteRuleCondition): string {
  const conditions = [
    auth === true ? t`signed in` : auth === false ? t`signed out` : null,
    email_verified === true ? t`e-mail confirmed` : email_verified === false ? t`e-mail not confirmed` : null,
    plan ? t`on ${plan}` : null,
  ].filter((condition) => condition !== null);
  return conditions.length === 0 ? t`everybody` : conditions.join(", ");
}
