import type { components } from "@feather/openapi/schema";
import type { FastifyReply } from "fastify";
import { startEventStream } from "../../gateway/index.ts";
import { keepLive, type LiveStreamOptions } from "../../platform/core/http/live-stream.ts";
import type { OpenPull, OpenPulls } from "./open-pulls.ts";
import { toStorePullDto } from "./store.dto.ts";

type PullProgress = components["schemas"]["StorePullProgress"];
type Options = LiveStreamOptions & { openPulls: OpenPulls };

/**
 * Streams downloads as server-sent events. The first event has all unfinished downloads, later ones those that have
 * changed. For a slow reader, changes are combined into one event.
 */
export async function streamPulls(reply: FastifyReply, { openPulls, ...options }: Options) {
  await openPulls.refresh();
  const raw = startEventStream(reply);
  const changes = createChanges();
  const send = (items: readonly PullProgress[]) => raw.write(`data: ${JSON.stringify({ items })}\n\n`);
  changes.note(openPulls.list());
  send(changes.take());
  const stop = openPulls.subscribe((pulls) => {
    changes.note(pulls);
    if (raw.writableNeedDrain) return;
    const items = changes.take();
    if (items.length > 0) send(items);
  });
  keepLive(raw, options, stop);
  return reply;
}

/** Creates the collection of downloads that have changed since they were last taken. */
function createChanges() {
  const known = new Map<string, string>();
  const changed = new Map<string, PullProgress>();
  return {
    note(pulls: readonly OpenPull[]): void {
      for (const pull of pulls) {
        const progress = toPullProgressDto(pull);
        const text = JSON.stringify(progress);
        if (known.get(pull.id) !== text) changed.set(pull.id, progress);
        known.set(pull.id, text);
      }
    },
    take(): PullProgress[] {
      const items = [...changed.values()];
      changed.clear();
      return items;
    },
  };
}

function toPullProgressDto(pull: OpenPull): PullProgress {
  const { bytesPerSecond, secondsLeft } = pull;
  return {
    ...toStorePullDto(pull),
    bytes_per_second: bytesPerSecond === null ? null : Math.round(bytesPerSecond),
    seconds_left: secondsLeft,
  };
}
