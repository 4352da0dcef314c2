import type { ApiError, User } from "@feather/sdk";
import type { Context } from "../context.ts";
import { AccessDeniedError } from "../errors.ts";
import { adminLoginCommand, canAdminister } from "./rights.ts";

/** Error codes for a credential that lacks a permission or is not valid. */
const CREDENTIAL_ERROR_CODES = new Set(["key_scope_denied", "unauthorized", "key_expired", "key_disabled"]);

/**
 * Returns the error to report for a failed command. Admin calls return 404 to everybody else: such an error is replaced by
 * one that says who may make the call. Errors of a key that takes precedence over a stored sign-in say so. Other errors are
 * returned unchanged.
 */
export async function explainAccessError(context: Context, error: unknown, forAdmins: boolean): Promise<unknown> {
  const { isApiError } = await import("@feather/sdk");
  if (!isApiError(error)) return error;
  if (forAdmins && error.status === 404 && error.code === "not_found") return explainNotAdmin(context, error);
  const { overridesSignIn, secretSource, profile } = context.settings();
  if (!overridesSignIn || error.code === null || !CREDENTIAL_ERROR_CODES.has(error.code)) return error;
  const hint = `unset ${secretSource}: it goes before the sign-in of profile ${profile}`;
  return new AccessDeniedError(error.message, { code: error.code, hint, requestId: error.requestId });
}

async function explainNotAdmin(context: Context, error: ApiError): Promise<unknown> {
  const { signal } = context;
  const feather = await context.client();
  if (await canAdminister(feather, signal)) return error;
  const user = await feather.auth.me({ signal }).catch((): User | null => null);
  return createNotAdminError(context, user, error.requestId);
}

/** Returns the error for a credential that may not administer the platform; it names the one that may. The user is null if unknown. */
export function createNotAdminError(
  { settings }: Context,
  user: Pick<User, "is_admin" | "username" | "email"> | null,
  requestId: string | null = null,
): AccessDeniedError {
  const { secretSource, overridesSignIn, profile, renewable } = settings();
  const fields = { code: "admin_required", requestId };
  if (user?.is_admin === false)
    return new AccessDeniedError(`only admins of the platform may do this, and ${user.username} is none`, {
      ...fields,
      hint: `${adminLoginCommand("<email of an admin>")}`,
    });
  if (overridesSignIn)
    return new AccessDeniedError(`the credential of ${secretSource} may not administer the platform`, {
      ...fields,
      hint: `unset ${secretSource}: it goes before the sign-in of profile ${profile}`,
    });
  const used = renewable ? "a sign-in by browser or code" : `the credential of ${secretSource}`;
  return new AccessDeniedError(`${used} may not administer the platform`, {
    ...fields,
    hint: adminLoginCommand(user?.email ?? "<email>"),
  });
}
