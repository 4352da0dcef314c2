import { AppError } from "../shared/errors.ts";
import type { Actor, SignedIn } from "./actor.ts";

/** A refusal of a credential whose holder is known, such as of a key that has ended. */
export class HolderRefused extends AppError {
  readonly holder: SignedIn;

  constructor(refusal: AppError, holder: SignedIn) {
    const { status, code, message, headers, details } = refusal;
    super(status, code, message, { headers, ...(details && { details }) });
    this.holder = holder;
  }
}

/** Who was refused, and the code of the refusal. */
export type Denied = { actor: SignedIn; reason: string };

/** Refusals that handlers give out for want of a right; what a plan or a limit refuses is not among them. */
const DENIALS_OF_HANDLERS: ReadonlySet<string> = new Set([
  "key_scope_denied",
  "api_keys.not_the_maker",
  "applications.status_denied",
]);

/**
 * Why a caller was not let in to a call, and who that is; null where it is not known, or the call failed for another
 * reason. `caller` is who presented a credential. An admin's call that does not exist for others counts as denied.
 */
export function deniedAtDoor(error: unknown, caller: Actor): Denied | null {
  if (!(error instanceof AppError)) return null;
  const actor = error instanceof HolderRefused ? error.holder : caller;
  if (actor.kind === "anonymous") return null;
  if (error.status === 404) return { actor, reason: "not_an_admin" };
  if (error.status === 401 || error.status === 403) return { actor, reason: error.code };
  return null;
}

/** The same for a call that was let in, and that its handler refused. */
export function deniedByHandler(error: unknown, caller: Actor): Denied | null {
  if (!(error instanceof AppError) || caller.kind === "anonymous") return null;
  return DENIALS_OF_HANDLERS.has(error.code) ? { actor: caller, reason: error.code } : null;
}
