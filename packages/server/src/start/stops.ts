/** Stops one part of the server. Stops it quickly when `forced` aborts. */
export type Stop = (forced: AbortSignal) => Promise<void>;

/** The time limit for each part after the stop is forced. */
const FORCED_STOP_MS = 4_000;

/** Creates the list of started parts, which are stopped in reverse order. */
export function createStops() {
  const stops: Stop[] = [];
  return {
    add(stop: Stop): void {
      stops.push(stop);
    },
    /** Stops every part, even if another one failed. Throws the first failure at the end. */
    async stopAll(forced: AbortSignal): Promise<void> {
      const failures: unknown[] = [];
      for (const stop of stops.splice(0).reverse())
        await Promise.race([stop(forced), waitForForcedLimit(forced)]).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}

export type Stops = ReturnType<typeof createStops>;

function waitForForcedLimit(forced: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const start = () => setTimeout(resolve, FORCED_STOP_MS).unref();
    if (forced.aborted) start();
    else forced.addEventListener("abort", start, { once: true });
  });
}
