import { AppError } from "../errors/index.ts";
import type { SignedInActor } from "./actor.ts";

/** An access error for a credential whose holder is known, for example an expired key. */
export class DeniedCredentialError extends AppError {
  readonly actor: SignedInActor;

  constructor(error: AppError, actor: SignedInActor) {
    const { status, code, message, headers, details } = error;
    super(status, code, message, { headers, ...(details && { details }) });
    this.actor = actor;
  }
}
