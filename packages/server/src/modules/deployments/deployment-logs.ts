import type { FastifyReply } from "fastify";
import { startEventStream } from "../../gateway/event-stream.ts";
import type { LogLine } from "./provider.ts";

const KEEP_ALIVE = 15_000;

/** Sends lines as events: those that are there, then those that follow. Who does not read misses some. */
export function streamLogs(
  reply: FastifyReply,
  lines: readonly LogLine[],
  follow: (tell: (line: LogLine) => void) => () => void,
): FastifyReply {
  const raw = startEventStream(reply);
  const write = (line: LogLine) => {
    if (!raw.writableNeedDrain) raw.write(`data: ${JSON.stringify(line)}\n\n`);
  };
  for (const line of lines) raw.write(`data: ${JSON.stringify(line)}\n\n`);
  const stop = follow(write);
  const alive = setInterval(() => raw.writableNeedDrain || raw.write(": keep-alive\n\n"), KEEP_ALIVE);
  raw.on("close", () => {
    clearInterval(alive);
    stop();
  });
  return reply;
}
