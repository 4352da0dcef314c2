import type { SignedIn } from "../http/actor.ts";
import { AppError } from "../shared/errors.ts";

/** The calls of this process that run, so that they can be ended when it stops or when their key no longer holds. */
export function createRunningCalls() {
  const running = new Map<AbortController, string | null>();
  return {
    /** Aborts when the caller goes, when their key ends, or when the server stops. To be given back at the end. */
    begin(actor: SignedIn | null): AbortController {
      const abort = new AbortController();
      running.set(abort, actor?.credential.type === "key" ? actor.credential.id : null);
      return abort;
    },
    end: (abort: AbortController): void => void running.delete(abort),
    /** Ends all that still runs. Each caller is told, in the stream where one is open. */
    interrupt(): void {
      const reason = new AppError(503, "shutting_down", "The server is being stopped. Try again in a moment.", {
        headers: { "retry-after": "5" },
      });
      for (const abort of running.keys()) abort.abort(reason);
    },
    /** Ids of the API keys that calls run with. */
    keyIds: (): string[] => [...new Set(running.values())].filter((id) => id !== null),
    /** Ends the calls of a key, and tells their callers why. */
    endOfKey(keyId: string, reason: AppError): void {
      for (const [abort, id] of running) if (id === keyId) abort.abort(reason);
    },
    count: () => running.size,
  };
}

export type RunningCalls = ReturnType<typeof createRunningCalls>;
