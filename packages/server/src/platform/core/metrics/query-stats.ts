import { Histogram, type Series, toSeries } from "./series.ts";

/** Counts of database queries. */
export class QueryStats {
  readonly #seconds = new Histogram("querySeconds");
  #errors = 0;
  #slow = 0;

  /** Counts a query that has ended, with its duration in milliseconds. */
  add({ durationMs, failed, isSlow }: { durationMs: number; failed: boolean; isSlow: boolean }): void {
    this.#seconds.observe(durationMs / 1000);
    if (failed) this.#errors++;
    if (isSlow) this.#slow++;
  }

  snapshot(): Series[] {
    return [this.#seconds.snapshot(), toSeries("queryErrors", this.#errors), toSeries("slowQueries", this.#slow)];
  }
}
