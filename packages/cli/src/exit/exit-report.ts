import {
  AbortedError,
  ApiError,
  ConnectionError,
  CredentialError,
  ERROR_COMMANDS,
  ServerError,
  StreamTruncatedError,
  TimeoutError,
} from "@feather/sdk";
import { CommanderError } from "commander";
import {
  AccessDeniedError,
  DifferenceError,
  type FileFault,
  FileFaultsError,
  InterruptedError,
  ProgramEndedError,
  ResourceNotFoundError,
  SignInError,
  UsageError,
  WaitTimeoutError,
  WorkFailedError,
} from "../errors.ts";
import { explainNetworkError } from "../network/network-errors.ts";

/** The exit codes. Scripts depend on them: never change one. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  workFailed: 5,
  conflict: 6,
  limited: 7,
  waitTimeout: 8,
  server: 9,
  network: 10,
  interrupted: 130,
} as const;

/** How a command ended: the exit code, and what to print. */
export type ExitReport = {
  readonly exitCode: number;
  /** What went wrong; null when nothing has to be printed. */
  readonly message: string | null;
  /** Stable code for programs. */
  readonly code: string;
  readonly requestId: string | null;
  /** Labelled lines below the message: `try`, `close` … */
  readonly notes: readonly (readonly [label: string, text: string])[];
  /** The faults of files that the message is about. */
  readonly faults: readonly FileFault[];
};

/**
 * Maps anything thrown to an exit code and a message. No other code does this. `group` is the command whose help explains the
 * command line, such as `feather keys`.
 */
export function toExitReport(error: unknown, group = "feather"): ExitReport {
  switch (true) {
    case error instanceof CommanderError:
      return fromParserError(error, group);
    case error instanceof CredentialError:
      return createReport(EXIT.denied, error.message, "invalid_credential", [
        ["try", "feather login, or a whole key in FEATHER_API_KEY; lists of keys show shortened ones"],
      ]);
    case error instanceof FileFaultsError:
      return { ...createReport(EXIT.usage, error.message, "usage", createTryNotes(error.hint)), faults: error.faults };
    case error instanceof UsageError:
      return createReport(EXIT.usage, error.message, "usage", createTryNotes(error.hint));
    case error instanceof ResourceNotFoundError:
      return createReport(EXIT.notFound, error.message, "not_found", createTryNotes(error.hint));
    case error instanceof DifferenceError:
      return createReport(EXIT.conflict, error.message, "differs");
    case error instanceof SignInError:
      return createReport(EXIT.denied, error.message, "not_signed_in", createTryNotes(error.hint));
    case error instanceof AccessDeniedError:
      return {
        ...createReport(EXIT.denied, error.message, error.code, createTryNotes(error.hint)),
        requestId: error.requestId,
      };
    case error instanceof WorkFailedError:
      return createReport(EXIT.workFailed, error.message, "work_failed", createTryNotes(error.hint));
    case error instanceof WaitTimeoutError:
      return createReport(EXIT.waitTimeout, error.message, "wait_timeout", createTryNotes(error.hint));
    case error instanceof ProgramEndedError:
      return createReport(error.exitCode, null, "program_ended");
    case error instanceof InterruptedError:
    case error instanceof AbortedError:
      return createReport(EXIT.interrupted, null, "interrupted");
    case error instanceof ApiError:
      return fromApiError(error);
    case error instanceof StreamTruncatedError:
      return createReport(EXIT.network, error.message, "stream_truncated", [["try", "the same command again"]]);
    case error instanceof TimeoutError:
      return createReport(EXIT.network, error.message, "timeout");
    case error instanceof ConnectionError:
      return createReport(EXIT.network, error.message, "network", createNetworkNotes(error));
    case error instanceof SyntaxError: // Only responses are parsed without a catch.
      return createReport(EXIT.server, NOT_JSON_MESSAGE, "not_json", CHECK_ADDRESS_NOTES);
    default:
      return createReport(EXIT.failed, error instanceof Error ? error.message : String(error), "failed");
  }
}

function createReport(
  exitCode: number,
  message: string | null,
  code: string,
  notes: ExitReport["notes"] = [],
): ExitReport {
  return { exitCode, message, code, requestId: null, notes, faults: [] };
}

function createTryNotes(hint: string | null): ExitReport["notes"] {
  return hint === null ? [] : [["try", hint]];
}

/** What people type who come from other programs, and what does that here. */
const HABITS: Readonly<Record<string, string>> = {
  "-v": "feather --version",
  config: "feather profile list",
  deploy: "feather deployments create",
  list: "feather models list",
  logs: "feather deployments logs <name>",
  search: "feather models search <words>",
  show: "feather models show <model>",
  update: "npm install -g <address of your server>/cli.tgz",
  upgrade: "npm install -g <address of your server>/cli.tgz",
  version: "feather --version",
};

function fromParserError(error: CommanderError, group: string): ExitReport {
  if (error.exitCode === 0) return createReport(EXIT.done, null, "done");
  if (error.code === "commander.help") return createReport(EXIT.usage, null, "usage");
  const [message = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const unknown = /^unknown (?:command|option) '(.+)'/.exec(message)?.[1] ?? "";
  const habit = group === "feather" && Object.hasOwn(HABITS, unknown) ? HABITS[unknown] : undefined;
  if (habit !== undefined) return createReport(EXIT.usage, message, "usage", [["try", habit]]);
  if (unknown === "rm") return createReport(EXIT.usage, message, "usage", [["try", `${group} delete`]]);
  const suggestion = /mean (?:one of )?(.*)\?/.exec(rest.join(" "))?.[1] ?? "";
  const help: ExitReport["notes"] = [["try", `${group} --help`]];
  return createReport(EXIT.usage, message, "usage", suggestion === "" ? help : [["close", suggestion], ...help]);
}

const NOT_JSON_MESSAGE = "what the server answered is not the API's JSON, but perhaps a web page";
const CHECK_ADDRESS_NOTES = [
  ["try", "check the address: --base-url, or FEATHER_BASE_URL; feather doctor looks at everything"],
] as const;

function fromApiError(error: ApiError): ExitReport {
  // A success response whose body could not be parsed.
  if (error.code === null && error.status < 400)
    return {
      ...createReport(EXIT.server, NOT_JSON_MESSAGE, "not_json", CHECK_ADDRESS_NOTES),
      requestId: error.requestId,
    };
  return {
    exitCode: exitCodeOf(error),
    message: toTerminalWords(error.message),
    code: error.code ?? `http_${error.status}`,
    requestId: error.requestId,
    notes: createApiNotes(error),
    faults: [],
  };
}

/** Leaves out what only programs can send; the note below the message names the flag. */
const toTerminalWords = (message: string): string => message.replace(/,? or send x-queue-timeout[^.]*/, "");

/** Exit codes of errors whose status says something else. A model that loads answers 400 where the operator wants that. */
const EXIT_BY_CODE: Readonly<Record<string, number>> = {
  model_not_on_plan: EXIT.limited,
  request_stopped: EXIT.workFailed,
  model_loading: EXIT.server,
};

function exitCodeOf(error: ApiError): number {
  const byCode = EXIT_BY_CODE[error.code ?? ""];
  if (byCode !== undefined) return byCode;
  switch (error.status) {
    case 401:
    case 403:
      return EXIT.denied;
    case 402:
    case 429:
      return EXIT.limited;
    case 404:
    case 410:
      return EXIT.notFound;
    case 409:
    case 412:
      return EXIT.conflict;
    case 400:
    case 413:
    case 415:
    case 422:
      return EXIT.usage;
    default:
      return error instanceof ServerError || error.status >= 500 ? EXIT.server : EXIT.failed;
  }
}

function createApiNotes(error: ApiError): ExitReport["notes"] {
  const notes: (readonly [string, string])[] = [];
  const suggestions = error.details.suggestions;
  if (Array.isArray(suggestions) && suggestions.length > 0) notes.push(["close", suggestions.slice(0, 3).join(", ")]);
  if (error.status === 402 && typeof error.details.url === "string") notes.push(["open", error.details.url]);
  for (const { field, message } of error.fields) if (!error.message.includes(message)) notes.push([field, message]);
  if (error.retryAfterMs) notes.push(["wait", `${Math.ceil(error.retryAfterMs / 1000)} s, says the server`]);
  const hint = ERROR_COMMANDS[error.code ?? ""] ?? (error.status === 401 ? "feather login" : undefined);
  if (hint !== undefined) notes.push(["try", hint]);
  return notes;
}

function createNetworkNotes(error: Error): ExitReport["notes"] {
  const { reason, hint } = explainNetworkError(error);
  return [
    ["cause", reason],
    ["try", `${hint}; feather doctor looks at everything`],
  ];
}
