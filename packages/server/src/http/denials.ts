import type { Actor, SignedInActor } from "../platform/core/auth/actor.ts";
import { DeniedCredentialError } from "../platform/core/auth/denied-credential.ts";
import { AppError } from "../platform/core/errors/index.ts";

/** The caller who was refused, null for an unknown one, and the error code. */
export type Denial = { actor: SignedInActor | null; reason: string };

/** A call that was refused to an address. */
export type DeniedCall = Denial & { ip: string; operation: string; requestId: string };

/** Error codes with which handlers deny access. Limits of plans are not denials. */
const HANDLER_DENIAL_CODES: ReadonlySet<string> = new Set([
  "key_scope_denied",
  "api_keys.not_the_maker",
  "applications.status_denied",
]);

/**
 * Returns the denial in an error that was thrown before the handler ran; null if the caller is unknown or the error is not
 * a denial. `caller` is the holder of the credential. 404 for an admin operation counts as a denial.
 */
export function toAccessDenial(error: unknown, caller: Actor): Denial | null {
  if (!(error instanceof AppError)) return null;
  const actor = error instanceof DeniedCredentialError ? error.actor : caller;
  if (actor.kind === "anonymous") return null;
  if (error.status === 404) return { actor, reason: "not_an_admin" };
  if (error.status === 401 || error.status === 403) return { actor, reason: error.code };
  return null;
}

/** Returns the denial in an error that a handler threw, or null. */
export function toHandlerDenial(error: unknown, caller: Actor): Denial | null {
  if (!(error instanceof AppError) || caller.kind === "anonymous") return null;
  return HANDLER_DENIAL_CODES.has(error.code) ? { actor: caller, reason: error.code } : null;
}

/** Returns the denial in an error of the rate limiter, which also refuses unknown callers; null for any other error. */
export function toRateDenial(error: unknown, caller: Actor): Denial | null {
  if (!(error instanceof AppError) || error.code !== "rate_limit_exceeded") return null;
  return { actor: caller.kind === "anonymous" ? null : caller, reason: error.code };
}
