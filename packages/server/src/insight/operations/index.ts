import type { Clock } from "../../platform/core/clock.ts";
import { renderPrometheus } from "../../platform/core/metrics/exposition.ts";
import { collectOwnSeries, collectSeries, type Sources } from "./collect.ts";
import { OperationsHistory } from "./history.ts";
import type { MachineFigures } from "./machine-figures.ts";
import { createMetricsAccess } from "./metrics-access.ts";
import { operationsRoutes } from "./operations.routes.ts";
import type { OperationsSettings } from "./operations.settings.ts";

type Ports = { sources: Sources & { machine: MachineFigures }; clock: Clock; settings: OperationsSettings };

const SAMPLE_INTERVAL_SECONDS = 10;
/** The points of one hour. */
const MAX_POINTS = 360;

/** Creates the module that shows operators the state of the server: metrics, and the last hour for the admins' page. */
export function createOperationsModule({ sources, clock, settings }: Ports) {
  const history = new OperationsHistory(MAX_POINTS);
  const sample = async () => {
    sources.process.turn();
    history.add({ at: clock.now().getTime(), series: await collectSeries(sources) });
  };
  return {
    routes: operationsRoutes({ sources, history, clock }),
    jobs: [{ name: "sample operations", everySeconds: SAMPLE_INTERVAL_SECONDS, onEveryReplica: true, run: sample }],
    peerAnswers: [sources.machine.toPeerAnswer(() => collectOwnSeries(sources))],
    api: {
      /** Starts measuring. The returned function stops it. */
      async start(): Promise<() => Promise<void>> {
        sources.process.start();
        await sample();
        return async () => sources.process.stop();
      },
      /** Returns whether the header `authorization` of a request allows it to read metrics. */
      mayReadMetrics: createMetricsAccess(settings.metricsToken),
      readMetrics: () => collectSeries(sources),
      renderMetrics: async () => renderPrometheus(await collectSeries(sources)),
    },
  };
}
export { createMachineFigures } from "./machine-figures.ts";
export { toThresholdMs } from "./operations.settings.ts";
export { watchQueries } from "./slow-queries.ts";
export { loadTelemetry } from "./telemetry/load-telemetry.ts";
export { createUnitsLimit } from "./units-limit.ts";
export { watchCalls } from "./watch-calls.ts";
