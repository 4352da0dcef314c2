import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { createRevenueRepository } from "./revenue.repository.ts";
import { revenueRoutes } from "./revenue.routes.ts";

/** Creates the report of what plans and credits bring in. */
export function createRevenueModule({ db, clock, isTest }: { db: Database; clock: Clock; isTest: boolean }) {
  return {
    routes: revenueRoutes({ revenueRepository: createRevenueRepository(db), clock, isTest }),
    jobs: [],
    api: {},
  };
}
