import { AbortedError, ApiError, ConnectionError, ServerError, StreamTruncatedError, TimeoutError } from "@feather/sdk";
import { CommanderError } from "commander";
import {
  InterruptedError,
  NotThereError,
  RefusedError,
  SignInError,
  UsageError,
  WaitTimeoutError,
  WorkFailedError,
} from "./errors.ts";
import { networkTrouble } from "./network-trouble.ts";

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
export type Ending = {
  readonly exitCode: number;
  /** What went wrong; null when nothing has to be printed. */
  readonly message: string | null;
  /** Stable code for programs. */
  readonly code: string;
  readonly requestId: string | null;
  /** Labelled lines below the message: `try`, `close` … */
  readonly notes: readonly (readonly [label: string, text: string])[];
};

/** Maps anything thrown to an exit code and a message. No other code does this. */
export function endingOf(error: unknown): Ending {
  switch (true) {
    case error instanceof CommanderError:
      return ofParser(error);
    case error instanceof UsageError:
      return ending(EXIT.usage, error.message, "usage", tryNote(error.hint));
    case error instanceof NotThereError:
      return ending(EXIT.notFound, error.message, "not_found", tryNote(error.hint));
    case error instanceof SignInError:
      return ending(EXIT.denied, error.message, "not_signed_in", tryNote(error.hint));
    case error instanceof RefusedError:
      return { ...ending(EXIT.denied, error.message, error.code, tryNote(error.hint)), requestId: error.requestId };
    case error instanceof WorkFailedError:
      return ending(EXIT.workFailed, error.message, "work_failed", tryNote(error.hint));
    case error instanceof WaitTimeoutError:
      return ending(EXIT.waitTimeout, error.message, "wait_timeout", tryNote(error.hint));
    case error instanceof InterruptedError:
    case error instanceof AbortedError:
      return ending(EXIT.interrupted, null, "interrupted");
    case error instanceof ApiError:
      return ofApi(error);
    case error instanceof StreamTruncatedError:
      return ending(EXIT.network, error.message, "stream_truncated", [["try", "the same command again"]]);
    case error instanceof TimeoutError:
      return ending(EXIT.network, error.message, "timeout");
    case error instanceof ConnectionError:
      return ending(EXIT.network, error.message, "network", networkNotes(error));
    case error instanceof SyntaxError: // Only responses are parsed without a catch.
      return ending(EXIT.server, NO_JSON, "not_json", WRONG_PLACE);
    default:
      return ending(EXIT.failed, error instanceof Error ? error.message : String(error), "failed");
  }
}

function ending(exitCode: number, message: string | null, code: string, notes: Ending["notes"] = []): Ending {
  return { exitCode, message, code, requestId: null, notes };
}

function tryNote(hint: string | null): Ending["notes"] {
  return hint === null ? [] : [["try", hint]];
}

function ofParser(error: CommanderError): Ending {
  if (error.exitCode === 0) return ending(EXIT.done, null, "done");
  if (error.code === "commander.help") return ending(EXIT.usage, null, "usage");
  const [message = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const suggestion = /mean (?:one of )?(.*)\?/.exec(rest.join(" "))?.[1] ?? "";
  return ending(
    EXIT.usage,
    message,
    "usage",
    suggestion === "" ? [["try", "feather --help"]] : [["close", suggestion]],
  );
}

const NO_JSON = "what the server answered is not the API's JSON, but perhaps a web page";
const WRONG_PLACE = [
  ["try", "check the address: --base-url, or FEATHER_BASE_URL; feather doctor looks at everything"],
] as const;

function ofApi(error: ApiError): Ending {
  // A success response whose body could not be parsed.
  if (error.code === null && error.status < 400)
    return { ...ending(EXIT.server, NO_JSON, "not_json", WRONG_PLACE), requestId: error.requestId };
  return {
    exitCode: codeOfApi(error),
    message: error.message,
    code: error.code ?? `http_${error.status}`,
    requestId: error.requestId,
    notes: apiNotes(error),
  };
}

function codeOfApi(error: ApiError): number {
  if (error.code === "model_not_on_plan") return EXIT.limited;
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

function apiNotes(error: ApiError): Ending["notes"] {
  const notes: (readonly [string, string])[] = [];
  const suggestions = error.details.suggestions;
  if (Array.isArray(suggestions) && suggestions.length > 0) notes.push(["close", suggestions.slice(0, 3).join(", ")]);
  if (error.status === 402 && typeof error.details.url === "string") notes.push(["open", error.details.url]);
  for (const { field, message } of error.fields) if (!error.message.includes(message)) notes.push([field, message]);
  if (error.retryAfterMs) notes.push(["wait", `${Math.ceil(error.retryAfterMs / 1000)} s, says the server`]);
  const hint = HINTS[error.code ?? ""] ?? (error.status === 401 ? "feather login" : undefined);
  if (hint !== undefined) notes.push(["try", hint]);
  return notes;
}

const HINTS: Readonly<Record<string, string>> = {
  model_not_found: "feather models list --search <words>",
  concurrency_limit_exceeded: "--queue 60 to wait your turn",
  model_not_on_plan: "feather models list --warm for others, or a larger plan",
  wrong_credentials: "feather login, with the right email and password",
  key_scope_denied: "feather login and allow it there, or a key with that scope",
  "api_keys.limit_reached": "feather keys delete <id> to make room",
  upstream_error: "the same again, or another model: feather models list --warm",
  upstream_timeout: "the same again, or another model: feather models list --warm",
  internal_error: "the same again in a while; tell the operator the request id if it stays",
};

function networkNotes(error: Error): Ending["notes"] {
  const { why, hint } = networkTrouble(error);
  return [
    ["cause", why],
    ["try", `${hint}; feather doctor looks at everything`],
  ];
}
