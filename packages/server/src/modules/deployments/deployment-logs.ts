import type { FastifyReply } from "fastify";
import { startEventStream } from "../../gateway/event-stream.ts";
import type { LogLine } from "./provider.ts";

const KEEP_ALIVE = 15_000;
const END_CHECK = 500;
const RECHECK_MS = 2_000;

export type Following = {
  /** What is there already. */
  lines: readonly LogLine[];
  follow(tell: (line: LogLine) => void, ended: () => void): () => void;
  /** Whether the server stops, which would wait for the stream to end. */
  draining(): boolean;
  /** Throws when the reader may not read any more. */
  recheck(): Promise<void>;
};

/** Sends lines as events: those that are there, then those that follow. Who does not read misses some. */
export function streamLogs(reply: FastifyReply, { lines, follow, draining, recheck }: Following): FastifyReply {
  const raw = startEventStream(reply);
  const write = (line: LogLine) => {
    if (!raw.writableNeedDrain) raw.write(`data: ${JSON.stringify(line)}\n\n`);
  };
  for (const line of lines) raw.write(`data: ${JSON.stringify(line)}\n\n`);
  const stop = follow(write, () => raw.end());
  const alive = setInterval(() => raw.writableNeedDrain || raw.write(": keep-alive\n\n"), KEEP_ALIVE);
  const ending = setInterval(() => draining() && raw.end(), END_CHECK);
  const checking = setInterval(() => recheck().catch(() => raw.end()), RECHECK_MS);
  raw.on("close", () => {
    clearInterval(checking);
    clearInterval(alive);
    clearInterval(ending);
    stop();
  });
  return reply;
}
