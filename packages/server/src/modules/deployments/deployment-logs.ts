import type { FastifyReply } from "fastify";
import { startEventStream } from "../../gateway/event-stream.ts";
import type { LogLine } from "./provider.ts";

const KEEP_ALIVE = 15_000;
const END_CHECK = 500;

export type Following = {
  /** What is there already. */
  lines: readonly LogLine[];
  follow(tell: (line: LogLine) => void, ended: () => void): () => void;
  /** Whether the server stops, which would wait for the stream to end. */
  draining(): boolean;
};

/** Sends lines as events: those that are there, then those that follow. Who does not read misses some. */
export function streamLogs(reply: FastifyReply, { lines, follow, draining }: Following): FastifyReply {
  const raw = startEventStream(reply);
  const write = (line: LogLine) => {
    if (!raw.writableNeedDrain) raw.write(`data: ${JSON.stringify(line)}\n\n`);
  };
  for (const line of lines) raw.write(`data: ${JSON.stringify(line)}\n\n`);
  const stop = follow(write, () => raw.end());
  const alive = setInterval(() => raw.writableNeedDrain || raw.write(": keep-alive\n\n"), KEEP_ALIVE);
  const ending = setInterval(() => draining() && raw.end(), END_CHECK);
  raw.on("close", () => {
    clearInterval(alive);
    clearInterval(ending);
    stop();
  });
  return reply;
}
