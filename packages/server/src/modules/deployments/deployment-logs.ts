import type { FastifyReply } from "fastify";
import { startEventStream } from "../../gateway/index.ts";
import type { LogLine } from "./provider.ts";

const KEEP_ALIVE_MS = 15_000;
const SHUTDOWN_CHECK_MS = 500;
const RECHECK_MS = 2_000;

/** The lines to send, and how the stream learns that it must end. */
export type LogStreamOptions = {
  /** Lines that were logged before. */
  lines: readonly LogLine[];
  follow(onLine: (line: LogLine) => void, onEnd: () => void): () => void;
  /** Whether the server is stopping: the stream must end, because the server waits for it. */
  isDraining(): boolean;
  /** Throws if the caller has lost access. */
  recheck(): Promise<void>;
};

/** Streams log lines as server-sent events. New lines are dropped while a slow client's buffer is full. */
export function streamLogs(
  reply: FastifyReply,
  { lines, follow, isDraining, recheck }: LogStreamOptions,
): FastifyReply {
  const raw = startEventStream(reply);
  const write = (line: LogLine) => {
    if (!raw.writableNeedDrain) raw.write(`data: ${JSON.stringify(line)}\n\n`);
  };
  for (const line of lines) raw.write(`data: ${JSON.stringify(line)}\n\n`);
  const stop = follow(write, () => raw.end());
  const keepAliveTimer = setInterval(() => raw.writableNeedDrain || raw.write(": keep-alive\n\n"), KEEP_ALIVE_MS);
  const shutdownTimer = setInterval(() => isDraining() && raw.end(), SHUTDOWN_CHECK_MS);
  const recheckTimer = setInterval(() => recheck().catch(() => raw.end()), RECHECK_MS);
  raw.on("close", () => {
    clearInterval(recheckTimer);
    clearInterval(keepAliveTimer);
    clearInterval(shutdownTimer);
    stop();
  });
  return reply;
}
