import type { Feather, StorePull } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { WorkFailedError } from "../../errors.ts";
import { waitFor } from "../../wait.ts";
import { toWorkStatus } from "./pull-state.ts";

/** How long a download is waited for, in milliseconds: large files take hours. */
export const DEFAULT_PULL_TIMEOUT_MS = 6 * 60 * 60_000;

/**
 * Waits until a download has ended, and returns it. `resume` is the command that waits for it again. Throws
 * `WorkFailedError` and `WaitTimeoutError`.
 */
export function waitForPull(
  context: Context,
  feather: Feather,
  { pull: { id, model_id }, resume, timeout }: { pull: StorePull; resume: string; timeout: number },
): Promise<StorePull> {
  return waitFor(context, {
    name: model_id,
    timeout,
    resume,
    poll: async () => {
      const { items } = await feather.admin.store.pulls.list({ signal: context.signal });
      const found = items.find((pull) => pull.id === id);
      if (found === undefined) throw new WorkFailedError(`the download of ${model_id} is gone`, resume);
      return found;
    },
    updates: (signal) => streamPull(feather, id, signal),
    status: toWorkStatus,
  });
}

/** Streams the states of a download; undefined when only other downloads have changed. */
async function* streamPull(feather: Feather, id: string, signal: AbortSignal): AsyncGenerator<StorePull | undefined> {
  for await (const { items } of await feather.admin.store.pulls.stream({ signal, maxRetries: 0 }))
    yield items.find((pull) => pull.id === id);
}
