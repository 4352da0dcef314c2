import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { type Series, toSeries } from "./series.ts";

const NANOSECONDS_PER_SECOND = 1e9;
const RESOLUTION_MS = 20;
/** Windows whose largest delay is kept: a minute of ten seconds each. */
const KEPT_WINDOWS = 6;

/** Measures the event loop in windows, and the memory and CPU time of the process. */
export class ProcessMonitor {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #utilization = performance.eventLoopUtilization();
  #window = { median: 0, high: 0, utilization: 0 };
  #largest: number[] = [];

  start(): void {
    this.#delays.enable();
  }

  stop(): void {
    this.#delays.disable();
  }

  /** Ends the current window, whose values `snapshot` then returns, and starts the next one. */
  turn(): void {
    const now = performance.eventLoopUtilization();
    // The delay includes the resolution of the measuring timer, which is subtracted.
    const toDelay = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS_PER_SECOND - RESOLUTION_MS / 1000);
    const hasSamples = this.#delays.count > 0;
    this.#window = {
      median: hasSamples ? toDelay(this.#delays.percentile(50)) : 0,
      high: hasSamples ? toDelay(this.#delays.percentile(99)) : 0,
      utilization: performance.eventLoopUtilization(now, this.#utilization).utilization,
    };
    this.#largest = [...this.#largest, hasSamples ? toDelay(this.#delays.max) : 0].slice(-KEPT_WINDOWS);
    this.#utilization = now;
    this.#delays.reset();
  }

  snapshot(): Series[] {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    return [
      toSeries("loopDelayMedian", this.#window.median),
      toSeries("loopDelayHigh", this.#window.high),
      toSeries("loopDelayMax", Math.max(0, ...this.#largest)),
      toSeries("loopUtilization", this.#window.utilization),
      toSeries("residentMemory", rss),
      toSeries("heapUsed", heapUsed),
      toSeries("cpuSeconds", (user + system) / 1e6),
      toSeries("startTime", performance.timeOrigin / 1000),
    ];
  }
}
