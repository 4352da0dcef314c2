import type { Logger } from "pino";
import type { Clock } from "../../platform/core/clock.ts";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import { createAwsClient } from "./aws/aws-client.ts";
import { createAwsDriver } from "./aws/aws-driver.ts";
import type { MarketplaceSettings } from "./marketplace.settings.ts";
import type { MarketplaceDrivers } from "./purchase-checks.ts";
import { testMarketplaceDriver } from "./test-marketplace-driver.ts";

type Deps = {
  settings: MarketplaceSettings;
  outgoing: Pick<Outgoing, "fetch">;
  clock: Clock;
  log: Pick<Logger, "error">;
};

/** Returns the drivers of the marketplaces that the settings name. */
export function createMarketplaceDrivers(deps: Deps): MarketplaceDrivers {
  const { marketplaces } = deps.settings;
  if (marketplaces.includes("test"))
    return { aws: testMarketplaceDriver, azure: testMarketplaceDriver, gcp: testMarketplaceDriver };
  return { ...(marketplaces.includes("aws") && { aws: createAws(deps) }) };
}

function createAws({ settings, outgoing, clock, log }: Deps) {
  const { awsProducts = [], awsTopics = [], awsApiBase: apiBase } = settings;
  const { awsAccessKeyId: accessKeyId, awsSecretAccessKey: secretAccessKey } = settings;
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined ? null : { accessKeyId, secretAccessKey };
  return createAwsDriver({
    client: createAwsClient({ credentials, apiBase, log }),
    products: awsProducts,
    topics: awsTopics,
    fetch: outgoing.fetch,
    apiBase,
    now: clock.now,
  });
}
