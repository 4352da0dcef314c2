import { AppError } from "../shared/errors.ts";
import type { Actor, SignedIn } from "./actor.ts";

/** An access error for a credential whose holder is known, for example an expired key. */
export class HolderRefused extends AppError {
  readonly holder: SignedIn;

  constructor(refusal: AppError, holder: SignedIn) {
    const { status, code, message, headers, details } = refusal;
    super(status, code, message, { headers, ...(details && { details }) });
    this.holder = holder;
  }
}

/** The caller who was denied access, and the error code. */
export type Denied = { actor: SignedIn; reason: string };

/** Error codes with which handlers deny access. Plan limits and rate limits are not denials. */
const DENIALS_OF_HANDLERS: ReadonlySet<string> = new Set([
  "key_scope_denied",
  "api_keys.not_the_maker",
  "applications.status_denied",
]);

/**
 * The denial in an error that was thrown before the handler ran; null if the caller is unknown or the error is no
 * denial. `caller` is who presented the credential. 404 for an admin operation counts as a denial.
 */
export function deniedAtDoor(error: unknown, caller: Actor): Denied | null {
  if (!(error instanceof AppError)) return null;
  const actor = error instanceof HolderRefused ? error.holder : caller;
  if (actor.kind === "anonymous") return null;
  if (error.status === 404) return { actor, reason: "not_an_admin" };
  if (error.status === 401 || error.status === 403) return { actor, reason: error.code };
  return null;
}

/** The denial in an error that a handler threw, or null. */
export function deniedByHandler(error: unknown, caller: Actor): Denied | null {
  if (!(error instanceof AppError) || caller.kind === "anonymous") return null;
  return DENIALS_OF_HANDLERS.has(error.code) ? { actor: caller, reason: error.code } : null;
}
