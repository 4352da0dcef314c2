import type { BackendRegistry, LiveCalls, MayCallElsewhere } from "../../gateway/index.ts";
import type { CurrentPlan } from "../../money/plans/index.ts";
import type { ReadLog } from "../../platform/audit/index.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { createTurns } from "../../platform/core/turns.ts";
import { anonymizeOrganizationsUsage, anonymizeUserUsage, createLateUsageJob } from "./anonymize-usage.ts";
import { createPlaceCosts } from "./place-costs.ts";
import { createRetentionJob } from "./retention.jobs.ts";
import { createUsageRepository } from "./usage.repository.ts";
import { usageRoutes } from "./usage.routes.ts";
import type { UsageSettings } from "./usage.settings.ts";

export { createRefusalCounter } from "./refusal-counter.ts";

/** Limits the database connections that reports use, so that calls and sign-ins need not wait for them. */
const REPORT_TURNS = { running: 3, waiting: 100, maxWaitMs: 10_000 };

type Ports = {
  db: Database;
  settings: UsageSettings;
  registry: Pick<BackendRegistry, "candidates">;
  mayCallElsewhere: MayCallElsewhere;
  liveCalls: Pick<LiveCalls, "readSnapshot">;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  readLog: ReadLog;
  clock: Clock;
};

/** Creates the reports of usage and the receipts of calls. */
export function createUsageModule(ports: Ports) {
  const usageRepository = createUsageRepository(ports.db);
  return {
    routes: usageRoutes({
      ...ports,
      usageRepository,
      placeCosts: createPlaceCosts(ports),
      takeReportTurn: createTurns(REPORT_TURNS),
    }),
    jobs: [
      createLateUsageJob(ports.db, ports.clock),
      createRetentionJob(ports.db, ports.clock, ports.settings.retentionDays),
    ],
    api: { usageRepository, anonymizeOrganizationsUsage, anonymizeUserUsage },
  };
}
