/** The command was called wrongly: unknown flags, missing arguments, a prompt without a terminal. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** A command that would work. */
  readonly hint: string | null;
  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/** A list of the server holds nothing of that name. Exit code 3. */
export class NotThereError extends Error {
  override readonly name = "NotThereError";
  /** A command that shows what there is. */
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Nobody is signed in, and the command needs somebody. Exit code 4. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  /** The command that signs in. */
  readonly hint: string;
  constructor(message: string, hint = "feather login") {
    super(message);
    this.hint = hint;
  }
}

/** The server refused the credential that was used. Exit code 4. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** Stable, for programs. */
  readonly code: string;
  /** A command that would be allowed. */
  readonly hint: string;
  readonly requestId: string | null;
  constructor(
    message: string,
    told: { readonly code: string; readonly hint: string; readonly requestId: string | null },
  ) {
    super(message);
    this.code = told.code;
    this.hint = told.hint;
    this.requestId = told.requestId;
  }
}

/** The work that was waited for ended badly. Exit code 5. */
export class WorkFailedError extends Error {
  override readonly name = "WorkFailedError";
  /** A command that tells more. */
  readonly hint: string | null;
  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/** Waiting ended before the work did; the work goes on. Exit code 8. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";
  /** A command that looks at the work again. */
  readonly hint: string | null;
  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/** The person pressed Ctrl-C or left a prompt. Exit code 130. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}
