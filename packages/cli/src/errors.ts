/** Wrong use of a command: unknown flags, missing arguments, a prompt without a terminal. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** A command that would work. */
  readonly hint: string | null;
  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/** A fault of a file: at a line and column, both counted from 1, or of the whole file. */
export type FileFault = {
  readonly file: string;
  readonly place?: { readonly line: number; readonly column: number };
  readonly message: string;
};

/** Files that are not valid, with all their faults: `deployment.yaml:3:1: there is no field replicas`. Exit code 2. */
export class FileFaultsError extends UsageError {
  readonly faults: readonly FileFault[];
  constructor(faults: readonly FileFault[], hint: string) {
    const lines = faults.map(formatFault);
    super(lines.length === 1 ? lines.join("") : [`there are ${lines.length} faults`, ...lines].join("\n"), hint);
    this.faults = faults;
  }
}

function formatFault({ file, place, message }: FileFault): string {
  return place === undefined ? `${file} ${message}` : `${file}:${place.line}:${place.column}: ${message}`;
}

/** The server has no resource of that name. Exit code 3. */
export class ResourceNotFoundError extends Error {
  override readonly name = "ResourceNotFoundError";
  /** A command that lists the existing ones. */
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** The command needs a sign-in, and there is none. Exit code 4. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  /** The command that signs in. */
  readonly hint: string;
  constructor(message: string, hint = "feather login") {
    super(message);
    this.hint = hint;
  }
}

/** The server refused the credential. Exit code 4. */
export class AccessDeniedError extends Error {
  override readonly name = "AccessDeniedError";
  /** Stable code for programs. */
  readonly code: string;
  /** A command that would be allowed, or makes this one allowed. */
  readonly hint: string;
  readonly requestId: string | null;
  constructor(
    message: string,
    fields: { readonly code: string; readonly hint: string; readonly requestId: string | null },
  ) {
    super(message);
    this.code = fields.code;
    this.hint = fields.hint;
    this.requestId = fields.requestId;
  }
}

/** A comparison found differences, and the caller asked for an exit code in that case. Exit code 6. */
export class DifferenceError extends Error {
  override readonly name = "DifferenceError";
}

/** The work that the command waited for failed. Exit code 5. */
export class WorkFailedError extends Error {
  override readonly name = "WorkFailedError";
  /** A command that shows more. */
  readonly hint: string | null;
  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/** The wait timed out; the work continues. Exit code 8. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";
  /** A command that continues waiting. */
  readonly hint: string | null;
  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/** A program that was started here ended with an error, which it has reported itself. Exit code of that program. */
export class ProgramEndedError extends Error {
  override readonly name = "ProgramEndedError";
  readonly exitCode: number;
  constructor(command: string, exitCode: number) {
    super(`${command} ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** The person pressed Ctrl-C, left a prompt, or did not confirm. Exit code 130. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

const READ_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "you may not read it",
};

/** Returns the error for a file that could not be read, which says why. */
export function createReadError(path: string, error: unknown): UsageError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
  return new UsageError(`${path} cannot be read (${READ_FAILURES[code] ?? code})`);
}
