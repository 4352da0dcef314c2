import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { createAccessTokens } from "../../gateway/index.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import { createAwsClient } from "./aws/aws-client.ts";
import { createAwsDriver } from "./aws/aws-driver.ts";
import { createAzureClient } from "./azure/azure-client.ts";
import { createAzureDriver } from "./azure/azure-driver.ts";
import { createAzureWebhooks } from "./azure/azure-webhooks.ts";
import { createGcpClient, toGoogleFetch } from "./gcp/gcp-client.ts";
import { createGcpDriver } from "./gcp/gcp-driver.ts";
import { createGcpTokens } from "./gcp/gcp-tokens.ts";
import type { MarketplaceSettings } from "./marketplace.settings.ts";
import type { MarketplaceDrivers } from "./purchase-checks.ts";
import { testMarketplaceDriver } from "./test-marketplace-driver.ts";

type Deps = {
  settings: MarketplaceSettings;
  outgoing: Pick<Outgoing, "fetch">;
  clock: Clock;
  publicUrl: string;
  log: Pick<Logger, "error">;
};

/** Returns the drivers of the marketplaces that the settings name. */
export function createMarketplaceDrivers(deps: Deps): MarketplaceDrivers {
  const { marketplaces } = deps.settings;
  if (marketplaces.includes("test"))
    return { aws: testMarketplaceDriver, azure: testMarketplaceDriver, gcp: testMarketplaceDriver };
  return {
    ...(marketplaces.includes("aws") && { aws: createAws(deps) }),
    ...(marketplaces.includes("azure") && { azure: createAzure(deps) }),
    ...(marketplaces.includes("gcp") && { gcp: createGcp(deps) }),
  };
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

function createAzure({ settings, outgoing, clock, log }: Deps) {
  const { azureOffers = [], azureTenantId: tenantId = "", azureClientId: clientId = "" } = settings;
  const { azureClientSecret: clientSecret = "", azureApiBase: apiBase } = settings;
  const connection = { tenantId, clientId, clientSecret, fetch: outgoing.fetch, apiBase };
  return createAzureDriver({
    client: createAzureClient({ ...connection, provider: "azure", clock, wait, log }),
    verifyCaller: createAzureWebhooks(connection),
    offers: azureOffers,
  });
}

function createGcp({ settings, outgoing, clock, publicUrl, log }: Deps) {
  const { gcpProviderId: providerId = "", gcpProducts: products = [], gcpDomain: domain = "" } = settings;
  const { gcpKey: serviceAccountKey = "", gcpPushAccount: pushAccount = "", gcpApiBase } = settings;
  const fetch = toGoogleFetch(outgoing.fetch, gcpApiBase);
  const pushAudience = `${publicUrl}/api/cloud-marketplace/gcp/notifications`;
  const accessTokens = createAccessTokens(fetch);
  const connection = { providerId, serviceAccountKey, accessTokens, fetch };
  return createGcpDriver({
    client: createGcpClient({ ...connection, provider: "gcp", wait, log }),
    tokens: createGcpTokens({ fetch, serviceAccountKey, domain, pushAccount, pushAudience }),
    providerId,
    products,
    clock,
  });
}
