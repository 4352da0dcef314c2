import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { createRevenueRepository } from "./revenue.repository.ts";
import { revenueRoutes } from "./revenue.routes.ts";

type Ports = {
  db: Database;
  clock: Clock;
  /** Whether payments are a test, and whether marketplaces are. */
  isTest: boolean;
  isMeteredTest: boolean;
};

/** Creates the report of what plans and credits bring in. */
export function createRevenueModule({ db, ...ports }: Ports) {
  return {
    routes: revenueRoutes({ ...ports, revenueRepository: createRevenueRepository(db) }),
    jobs: [],
    api: {},
  };
}
