import type { BackendRegistry } from "../../gateway/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { createRoutingRepository } from "./routing.repository.ts";
import { routingRoutes } from "./routing.routes.ts";
import { createRouting } from "./routing.usecases.ts";
import type { RoutingRulesReader } from "./routing-rules.ts";

type Ports = {
  db: Database;
  rules: RoutingRulesReader;
  registry: Pick<BackendRegistry, "list">;
  audit: Audit;
  clock: Clock;
};

/** Creates the administration of the operator's rules of which models and backends answer. */
export function createRoutingModule({ db, audit, ...ports }: Ports) {
  const routing = createRouting({ ...ports, routingRepository: createRoutingRepository(db) });
  return { routes: routingRoutes({ routing, audit }), jobs: [], api: {} };
}
export { createRoutingRules, type RoutingRulesReader } from "./routing-rules.ts";
