import pino, { type DestinationStream, type Logger } from "pino";
import type { ServerSettings } from "../config/server.settings.ts";

/** The target of the log, and whether it is a terminal. */
export type LogTarget = {
  readonly stream: DestinationStream;
  readonly isTerminal: boolean;
  readonly hasColors: boolean;
};

/** Returns the standard error of this process as a target. */
export function openStandardError({ stderr }: Pick<NodeJS.Process, "stderr">): LogTarget {
  const isTerminal = stderr.isTTY === true;
  return { stream: pino.destination(2), isTerminal, hasColors: isTerminal && stderr.hasColors() };
}

/** Fields that pino adds to every line and that `formatLine` shows in a fixed position. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(["level", "time", "pid", "hostname", "msg", "err"]);
/** Control characters, which a terminal would interpret: texts of a line may be untrusted. */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Creates the server's log. In the format `auto`, it writes readable lines to a terminal, and JSON otherwise. Readable
 * lines have no stacks of errors, unless the level is debug.
 */
export async function createLog(
  { logLevel, logFormat }: Pick<ServerSettings, "logLevel" | "logFormat">,
  target: LogTarget,
): Promise<Logger> {
  const isText = logFormat === "text" || (logFormat === "auto" && target.isTerminal);
  return pino({ level: logLevel }, isText ? await createTextStream(target, logLevel === "debug") : target.stream);
}

async function createTextStream({ stream, hasColors }: LogTarget, showsStacks: boolean): Promise<DestinationStream> {
  const { prettyFactory } = await import("pino-pretty");
  const format = prettyFactory({
    colorize: hasColors,
    translateTime: "SYS:HH:MM:ss",
    ignore: "pid,hostname",
    hideObject: true,
    messageFormat: (line) => formatLine(line, showsStacks),
  });
  return { write: (line) => stream.write(format(line)) };
}

/** Returns the message of a line with its fields: `a job failed: no such table (job=renewals)`. */
function formatLine({ msg, err, ...fields }: Record<string, unknown>, showsStacks: boolean): string {
  const { message, stack } = isErrorLike(err) ? err : {};
  const text = [msg, message].filter((part) => part !== undefined && part !== "").join(": ");
  const named = Object.entries(fields).flatMap(([name, value]) =>
    SHOWN_ELSEWHERE.has(name) || value === undefined || value === null ? [] : [`${name}=${toText(value)}`],
  );
  const line = toOneLine(named.length === 0 ? text : `${text} (${named.join(", ")})`);
  const frames = showsStacks && stack !== undefined ? stack.split("\n").slice(1) : [];
  return [line, ...frames.map((frame) => `    ${toOneLine(frame.trim())}`)].join("\n");
}

type ErrorLike = { readonly message?: string; readonly stack?: string };

const isErrorLike = (value: unknown): value is ErrorLike => typeof value === "object" && value !== null;

const toText = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

const toOneLine = (text: string): string => text.replace(CONTROL_CHARACTERS, " ");
