import type { Logger } from "pino";
import type { BackendRegistry } from "../../gateway/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { PROBE_LIMITS } from "./call-backend.ts";
import { createProber } from "./prober.ts";
import { toProbeDtos } from "./probes.dto.ts";
import { createProbeJobs } from "./probes.jobs.ts";
import { createProbesRepository } from "./probes.repository.ts";
import { probeRoutes } from "./probes.routes.ts";
import type { ProbeSettings } from "./probes.settings.ts";
import { createSpending } from "./spending.ts";

type Ports = {
  db: Database;
  registry: BackendRegistry;
  audit: Audit;
  clock: Clock;
  log: Pick<Logger, "info">;
  settings: ProbeSettings;
  /** Returns the calls in flight at a backend that other processes have sent there. */
  countCallsOfOthers(backend: string): Promise<number>;
  /** Discards the cached models of calls. */
  invalidateModels(): void;
};

/** Creates the probes: small calls of the server itself that show what a model can do at a backend. */
export function createProbesModule({ settings, ...ports }: Ports) {
  const { db, clock, registry } = ports;
  const { dailyCents } = settings;
  const probesRepository = createProbesRepository(db);
  const spending = createSpending({ db, clock, dailyCents });
  const shared = { ...ports, probesRepository, spending, dailyCents, limits: PROBE_LIMITS };
  return {
    routes: probeRoutes(shared),
    jobs: createProbeJobs({
      prober: createProber(shared),
      probesRepository,
      spending,
      isOn: settings.models === "own",
      now: () => clock.now(),
    }),
    api: {
      /** Returns what a model has shown at its places. */
      listResults: async (modelKey: string, isAdmin: boolean) =>
        toProbeDtos({ registry }, await probesRepository.listResults(modelKey), isAdmin),
      deleteOfBackend: probesRepository.deleteOfBackend,
    },
  };
}

/** Reads the results of the probes of a model. */
export type ListProbes = ReturnType<typeof createProbesModule>["api"]["listResults"];
export type { ProbeSettings } from "./probes.settings.ts";
