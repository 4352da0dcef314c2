import type { SignedInActor } from "../core/auth/actor.ts";
import { type AppError, errors } from "../core/errors/index.ts";

/** The running calls of this process, so that they can be aborted when it stops or when their API key is revoked. */
export function createRunningCalls() {
  const running = new Map<AbortController, string | null>();
  return {
    /** Returns a controller for a new call. Pass it to `end` when the call has ended. */
    start(actor: SignedInActor | null): AbortController {
      const abort = new AbortController();
      running.set(abort, actor?.credential.type === "key" ? actor.credential.id : null);
      return abort;
    },
    end: (abort: AbortController): void => void running.delete(abort),
    /** Aborts all running calls with `shutting_down`. */
    abortAll(): void {
      const reason = errors.shuttingDown();
      for (const abort of running.keys()) abort.abort(reason);
    },
    /** Ids of the API keys that calls run with. */
    keyIds: (): string[] => [...new Set(running.values())].filter((id) => id !== null),
    /** Aborts the calls of an API key with the given error. */
    abortByKey(keyId: string, reason: AppError): void {
      for (const [abort, id] of running) if (id === keyId) abort.abort(reason);
    },
    count: () => running.size,
  };
}

export type RunningCalls = ReturnType<typeof createRunningCalls>;
