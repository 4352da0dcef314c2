import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { SignInError } from "../../errors.ts";
import { adminLoginCommand, canAdminister } from "../../sign-in/rights.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/** Checks whether the credential is valid, and says where it comes from. */
export async function checkSignIn({ client, signal }: Context, settings: Settings): Promise<Check> {
  const { secret, overridesSignIn, profile } = settings;
  const secretSource = overridesSignIn
    ? `${settings.secretSource}, which goes before the sign-in of profile ${profile}`
    : settings.secretSource;
  if (secret === undefined) return warn("sign-in", "nobody is signed in", "feather login");
  const { CredentialError, isApiError } = await import("@feather/sdk");
  try {
    const feather = await client();
    const { username, email, is_admin } = await feather.auth.me({ signal, maxRetries: 0 });
    const rights = !is_admin
      ? ""
      : (await canAdminister(feather, signal))
        ? ", an admin"
        : `; an admin, who may administer only after ${adminLoginCommand(email)}`;
    return ok("sign-in", `${username}, by ${secretSource}${rights}`);
  } catch (error) {
    if (error instanceof SignInError) return fail("sign-in", error.message, error.hint);
    if (error instanceof CredentialError) return fail("sign-in", `${error.message} (${secretSource})`, "feather login");
    if (!isApiError(error)) throw error;
    // A key that may only call models cannot read its owner.
    if (error.status === 403) return ok("sign-in", `a key that may call models, by ${secretSource}`);
    if (error.status === 401)
      return fail(
        "sign-in",
        `${error.message} (by ${secretSource})`,
        overridesSignIn ? `unset ${settings.secretSource}` : "feather login",
      );
    return fail("sign-in", error.message, "the same again in a while");
  }
}
