import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { incidentRoutes } from "./incidents.routes.ts";
import { statusRoutes } from "./status.routes.ts";

type Ports = { db: Database; audit: Audit; clock: Clock; ids: Ids };

/** Creates the status page: error rates of models, and incidents. */
export function createStatusModule(ports: Ports) {
  return { routes: { ...statusRoutes(ports), ...incidentRoutes(ports) }, jobs: [], api: {} };
}
