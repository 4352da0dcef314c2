import type { FastifyReply } from "fastify";
import { startEventStream } from "../../gateway/event-stream.ts";
import type { LogLine } from "./provider.ts";

const KEEP_ALIVE = 15_000;
const END_CHECK = 500;
const RECHECK_MS = 2_000;

/** The lines to send, and how the stream learns that it must end. */
export type Following = {
  /** Lines that were logged before. */
  lines: readonly LogLine[];
  follow(tell: (line: LogLine) => void, ended: () => void): () => void;
  /** Whether the server is stopping: the stream must end, because the server waits for it. */
  draining(): boolean;
  /** Throws if the caller has lost access. */
  recheck(): Promise<void>;
};

/** Streams log lines as server-sent events. New lines are dropped while a slow client's buffer is full. */
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
