/** Receives a message and its fields, by level. `console` is a logger. */
export type Logger = { [L in Exclude<LogLevel, "off">]?: (message: string, fields: Record<string, unknown>) => void };

/** The least severe level that is logged: every attempt (`debug`), retries (`info`), failures (`warn`), or nothing. */
export type LogLevel = "off" | "error" | "warn" | "info" | "debug";

/** Logs a message with its fields at a level. */
export type LogFunction = (level: Exclude<LogLevel, "off">, message: string, fields: Record<string, unknown>) => void;

const LEVELS = ["off", "error", "warn", "info", "debug"];
/** Parts of URLs that hold secrets: the tokens of one-time links and of shared chats, and query parameters with such a name. */
const SECRETS =
  /(\/(?:invitations|shared-chats|test-payments)\/|[?&][^=&]*(?:token|secret|key|code|password)[^=&]*=)[^/&?#]+/gi;

/** Returns a function that passes on messages up to a level, or `undefined` for `off`. Credentials and bodies are never logged. */
export function createLog(logger: Logger, maxLevel: LogLevel): LogFunction | undefined {
  if (maxLevel === "off") return undefined;
  return (level, message, fields) => {
    if (LEVELS.indexOf(level) <= LEVELS.indexOf(maxLevel)) logger[level]?.(message, fields);
  };
}

/** Returns a URL for logs: the tokens of one-time links and of shared chats, and query parameters whose names say that they are secret, are masked. */
export const redactUrl = (url: string): string => url.replace(SECRETS, "$1***");
