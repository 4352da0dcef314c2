import { AppError } from "../../platform/core/errors/index.ts";
import type { KeyRefusal } from "../backends/backend-keys.ts";

/**
 * A refusal of the key that a request was sent with, so that another key may make the call. `isAboutKey` is false where it
 * may be about the call instead.
 */
export class RefusedKeyError extends AppError {
  readonly refusal: KeyRefusal;
  readonly isAboutKey: boolean;

  /** Takes status, code, message, headers and cause from the error for the caller. */
  constructor(
    { status, code, message, headers, cause }: AppError,
    { refusal, isAboutKey }: { refusal: KeyRefusal; isAboutKey: boolean },
  ) {
    super(status, code, message, { headers, cause });
    this.refusal = refusal;
    this.isAboutKey = isAboutKey;
  }
}
