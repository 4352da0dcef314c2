import type { components } from "@feather/openapi/schema";
import { type PlansRepository, toSubscriptionDto } from "../../../money/plans/index.ts";
import { parseRole, permissionsOf } from "../../../platform/core/auth/permissions.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { toLanguage } from "../../../platform/core/languages/languages.ts";
import type { SecondFactorPolicy } from "./second-factor-policy.ts";
import type { UsersRepository } from "./users.repository.ts";

type User = components["schemas"]["User"];

/** The organization that the user acts for (by default their oldest membership), and the admin who acts as them. */
export type UserDtoContext = { organizationId?: string; impersonatedBy?: string | null };

/** Returns a user as the contract describes them. Throws 401 if there is none. */
export type ToUserDto = (userId: string, context?: UserDtoContext) => Promise<User>;

/** Creates the mapping from user ids to DTOs. */
export function createToUserDto(
  usersRepository: UsersRepository,
  plans: PlansRepository,
  lacksSecondFactor: SecondFactorPolicy,
): ToUserDto {
  return async (userId, { organizationId, impersonatedBy } = {}) => {
    const row = await usersRepository.findWithOrganization(userId, organizationId ?? null);
    if (!row) throw errors.unauthorized();
    return {
      id: row.id,
      email: row.email,
      username: row.username,
      name: row.name,
      is_admin: row.is_admin,
      email_verified: row.email_verified_at !== null,
      pending_email: row.pending_email,
      language: row.language === null ? null : toLanguage(row.language),
      has_password: row.password_hash !== null,
      second_factor_required: impersonatedBy == null && lacksSecondFactor(row),
      totp_enabled: row.totp_enabled_at !== null,
      providers: row.providers,
      organization: {
        id: row.organization_id,
        name: row.organization_name,
        role: row.role as User["organization"]["role"],
        current_subscription: toSubscriptionDto(await plans.findCurrent(row.organization_id)),
      },
      permissions: permissionsOf(parseRole(row.role)),
      referral_reward: { method: row.referral_reward_method as "credits" | "commission" },
      impersonated_by: impersonatedBy ?? null,
      created_at: row.created_at.toISOString(),
    };
  };
}
