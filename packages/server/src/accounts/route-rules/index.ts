import type { CurrentPlan } from "../../money/plans/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { UsersRepository } from "../identity/index.ts";
import { createRouteRulesRepository } from "./route-rules.repository.ts";
import { routeRuleRoutes } from "./route-rules.routes.ts";
import { createRuleLookup } from "./rule-lookup.ts";

type Ports = {
  db: Database;
  usersRepository: UsersRepository;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  audit: Audit;
  clock: Clock;
  ids: Ids;
};

/** Creates the operator's rules that redirect pages of the site. */
export function createRouteRulesModule(ports: Ports) {
  const routeRulesRepository = createRouteRulesRepository(ports.db);
  const rulesFor = createRuleLookup({ ...ports, routeRulesRepository });
  return { routes: routeRuleRoutes({ ...ports, routeRulesRepository, rulesFor }), jobs: [], api: { rulesFor } };
}
export type { RuleLookup, RulesForPath } from "./rule-lookup.ts";
