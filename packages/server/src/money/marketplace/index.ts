import type { Logger } from "pino";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { Billing } from "../billing/index.ts";
import { createMarketplaceAdministration } from "./marketplace.admin.usecases.ts";
import { adminMarketplaceRoutes, marketplaceRoutes } from "./marketplace.routes.ts";
import type { MarketplaceSettings } from "./marketplace.settings.ts";
import { createMarketplace } from "./marketplace.usecases.ts";
import { createMarketplaceDrivers } from "./marketplace-drivers.ts";
import { createNotifications } from "./notifications.usecases.ts";
import { createPurchaseChanges } from "./purchase-changes.ts";
import { createPurchaseChecks } from "./purchase-checks.ts";
import { createPurchasesRepository } from "./purchases.repository.ts";

type Ports = {
  db: Database;
  billing: Pick<Billing, "billingRepository" | "grantPlan" | "cancellation">;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  log: Logger;
  outgoing: Pick<Outgoing, "fetch">;
  settings: MarketplaceSettings;
  publicUrl: string;
  productName: string;
  invalidatePlan(organizationId: string): void;
};

const MINUTE_SECONDS = 60;

/** Creates the module for plans that are bought at cloud marketplaces. */
export function createMarketplaceModule(ports: Ports) {
  const { settings, billing } = ports;
  const { plans: planIds, graceHours } = settings;
  const purchases = createPurchasesRepository(ports.db);
  const drivers = createMarketplaceDrivers(ports);
  const changes = createPurchaseChanges({ ...ports, planIds, graceHours });
  const shared = { ...ports, ...billing, purchases, drivers, changes };
  const checks = createPurchaseChecks(shared);
  const notifications = createNotifications({ ...shared, checks });
  return {
    routes: {
      ...marketplaceRoutes({ marketplace: createMarketplace({ ...shared, checks }), notifications }),
      ...adminMarketplaceRoutes({
        purchases,
        administration: createMarketplaceAdministration({ ...shared, checks }),
      }),
    },
    jobs: [
      { name: "settle purchases at marketplaces", everySeconds: MINUTE_SECONDS, run: checks.run },
      { name: "replay notifications of marketplaces", everySeconds: MINUTE_SECONDS, run: notifications.replay },
    ],
    api: {},
  };
}
