import { AppError } from "../shared/errors.ts";

/** The calls of this process that run, so that they can be ended when it stops. */
export function createRunningCalls() {
  const running = new Set<AbortController>();
  return {
    /** Aborts when the caller goes, or when the server stops. To be given back at the end. */
    begin(): AbortController {
      const abort = new AbortController();
      running.add(abort);
      return abort;
    },
    end: (abort: AbortController): void => void running.delete(abort),
    /** Ends all that still runs. Each caller is told, in the stream where one is open. */
    interrupt(): void {
      const reason = new AppError(503, "shutting_down", "The server is being stopped. Try again in a moment.", {
        headers: { "retry-after": "5" },
      });
      for (const abort of running) abort.abort(reason);
    },
    count: () => running.size,
  };
}

export type RunningCalls = ReturnType<typeof createRunningCalls>;
