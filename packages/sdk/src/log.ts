/** What a logger gets: a word for what happened and its fields. `console` is one. */
export type Logger = { [L in Exclude<LogLevel, "off">]?: (message: string, fields: Record<string, unknown>) => void };

/** How much is told: every try (`debug`), retries (`info`), failures (`warn`), or nothing. */
export type LogLevel = "off" | "error" | "warn" | "info" | "debug";

export type Log = (level: Exclude<LogLevel, "off">, message: string, fields: Record<string, unknown>) => void;

const LEVELS = ["off", "error", "warn", "info", "debug"];
/** Places in addresses that hold secrets: links that work once, and parameters named like one. */
const SECRETS = /(\/(?:invitations|test-payments)\/|[?&][^=&]*(?:token|secret|key|code|password)[^=&]*=)[^/&?]+/gi;

/** Tells a logger what its level lets through. Credentials and bodies are never passed to it. Nothing when nothing is to be told. */
export function createLog(logger: Logger, most: LogLevel): Log | undefined {
  if (most === "off") return undefined;
  return (level, message, fields) => {
    if (LEVELS.indexOf(level) <= LEVELS.indexOf(most)) logger[level]?.(message, fields);
  };
}

/** An address as it may stand in a log. */
export const redacted = (url: string): string => url.replace(SECRETS, "$1***");
