import type { FastifyReply } from "fastify";
import { startEventStream } from "../../gateway/index.ts";
import { keepLive, type LiveStreamOptions } from "../../platform/core/http/live-stream.ts";
import type { LogLine } from "./provider.ts";

/** The lines to send, and the subscription to new ones. */
export type LogStreamOptions = LiveStreamOptions & {
  /** The lines that are sent first. */
  lines: readonly LogLine[];
  follow(onLine: (line: LogLine) => void, onEnd: () => void): () => void;
};

/** Streams log lines as server-sent events. New lines are dropped while a slow client's buffer is full. */
export function streamLogs(reply: FastifyReply, { lines, follow, ...options }: LogStreamOptions): FastifyReply {
  const raw = startEventStream(reply);
  const write = (line: LogLine) => {
    if (!raw.writableNeedDrain) raw.write(`data: ${JSON.stringify(line)}\n\n`);
  };
  for (const line of lines) raw.write(`data: ${JSON.stringify(line)}\n\n`);
  const stop = follow(write, () => raw.end());
  keepLive(raw, options, stop);
  return reply;
}
