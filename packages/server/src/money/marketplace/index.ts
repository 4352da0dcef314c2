import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Billing } from "../billing/index.ts";
import { marketplaceRoutes } from "./marketplace.routes.ts";
import type { MarketplaceSettings } from "./marketplace.settings.ts";
import { createMarketplace } from "./marketplace.usecases.ts";
import { testMarketplaceDriver } from "./test-marketplace-driver.ts";

type Ports = {
  db: Database;
  billing: Pick<Billing, "billingRepository" | "grantPlan">;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  settings: MarketplaceSettings;
  invalidatePlan(organizationId: string): void;
};

/** Creates the module for plans that are bought at cloud marketplaces. */
export function createMarketplaceModule({ billing, settings, ...ports }: Ports) {
  const driver = settings.mode === "test" ? testMarketplaceDriver : null;
  return {
    routes: marketplaceRoutes({ marketplace: createMarketplace({ ...ports, ...billing, driver }) }),
    jobs: [],
    api: {},
  };
}
