import type { Logger } from "pino";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { Billing } from "../billing/index.ts";
import type { Credits } from "../credits/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { createMarketplaceAdministration } from "./marketplace.admin.usecases.ts";
import { adminMarketplaceRoutes, marketplaceRoutes } from "./marketplace.routes.ts";
import { type MarketplaceSettings, meteredMarketplacesOf } from "./marketplace.settings.ts";
import { createMarketplace } from "./marketplace.usecases.ts";
import { createMarketplaceDrivers } from "./marketplace-drivers.ts";
import { closeHours, closeHoursOf } from "./metering/close-hours.ts";
import { drawMeteredCredits } from "./metering/draw-credits.ts";
import { createMeteringRepository } from "./metering/metering.repository.ts";
import { meteringRoutes } from "./metering/metering.routes.ts";
import { createMetering } from "./metering/metering.usecases.ts";
import { reportUsage } from "./metering/report-usage.ts";
import { createNotifications } from "./notifications.usecases.ts";
import { payoutsRoutes } from "./payouts/payouts.routes.ts";
import { createPayouts } from "./payouts/payouts.usecases.ts";
import { createPurchaseChanges } from "./purchase-changes.ts";
import { createPurchaseChecks } from "./purchase-checks.ts";
import { createPurchasesRepository } from "./purchases.repository.ts";

type Ports = {
  db: Database;
  credits: Pick<Credits, "balance">;
  ledger: Ledger;
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

type MeteredCreditsPorts = Pick<Ports, "db" | "ledger" | "clock" | "ids" | "settings">;

/** Creates the credits that organizations draw beyond theirs and that marketplaces bill. */
export function createMeteredCredits({ settings, ...ports }: MeteredCreditsPorts) {
  const metering = createMeteringRepository(ports.db);
  const deps = { ...ports, metering, marketplaces: meteredMarketplacesOf(settings) };
  return {
    drawCredits: (organizationId: string, neededNano: bigint, trx: Database) =>
      drawMeteredCredits(deps, organizationId, neededNano, trx),
    /** Returns what an organization drew and did not use, before it is deleted. */
    returnUnused: (organizationId: string, trx: Database) => closeHoursOf(deps, organizationId, trx),
  };
}

/** Creates the module for plans that are bought at cloud marketplaces. */
export function createMarketplaceModule(ports: Ports) {
  const { settings, billing } = ports;
  const { plans: planIds, graceHours } = settings;
  const purchases = createPurchasesRepository(ports.db);
  const drivers = createMarketplaceDrivers(ports);
  const changes = createPurchaseChanges({ ...ports, planIds, graceHours });
  const metering = createMeteringRepository(ports.db);
  const shared = { ...ports, ...billing, purchases, drivers, changes, metering };
  const checks = createPurchaseChecks(shared);
  const notifications = createNotifications({ ...shared, checks });
  const marketplaces = meteredMarketplacesOf(settings);
  const meteringUseCases = createMetering({ ...ports, metering, marketplaces, planIds });
  return {
    routes: {
      ...marketplaceRoutes({ marketplace: createMarketplace({ ...shared, checks }), notifications }),
      ...adminMarketplaceRoutes({
        purchases,
        administration: createMarketplaceAdministration({ ...shared, checks }),
      }),
      ...meteringRoutes({ metering, useCases: meteringUseCases }),
      ...payoutsRoutes({ payouts: createPayouts({ ...ports, isTest: marketplaces.isTest }) }),
    },
    jobs: [
      { name: "settle purchases at marketplaces", everySeconds: MINUTE_SECONDS, run: checks.run },
      { name: "replay notifications of marketplaces", everySeconds: MINUTE_SECONDS, run: notifications.replay },
      {
        name: "report metered usage to marketplaces",
        everySeconds: MINUTE_SECONDS,
        run: async () => {
          await closeHours({ ...ports, metering });
          await reportUsage({ ...ports, drivers });
        },
      },
    ],
    api: { isMeteredTest: marketplaces.isTest },
  };
}
