import type { Entitlement, MarketplaceEntitlementServiceClient } from "@aws-sdk/client-marketplace-entitlement-service";
import type {
  BatchMeterUsageCommandOutput,
  MarketplaceMeteringClient,
  ResolveCustomerResult,
  UsageRecord,
} from "@aws-sdk/client-marketplace-metering";
import type { Logger } from "pino";
import { type AppError, errors } from "../../../platform/core/errors/index.ts";
import { SECOND_MS } from "../../../platform/core/time.ts";
import { MARKETPLACE_NAMES } from "../../billing/index.ts";

/** What the connection to AWS needs. `apiBase` is the address of a stand-in. */
export type AwsConnection = {
  /** Null where the AWS SDK finds the credentials itself, such as the role of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  apiBase?: string | undefined;
  log: Pick<Logger, "error">;
};

/** The calls of AWS Marketplace that are used. They throw `marketplace.unavailable`. */
export type AwsClient = {
  /** Returns what a registration token stands for; null when it is invalid or expired. */
  resolveCustomer(token: string): Promise<ResolveCustomerResult | null>;
  /** Returns the entitlements of an AWS account to a product. */
  getEntitlements(productCode: string, accountId: string): Promise<Entitlement[]>;
  /**
   * Reports usage. `productCode` is undefined where the records name licenses. Returns the name of the error instead when AWS
   * refuses a record, which it does not say which.
   */
  meterUsage(
    productCode: string | undefined,
    records: UsageRecord[],
  ): Promise<Pick<BatchMeterUsageCommandOutput, "Results" | "UnprocessedRecords"> | { error: string }>;
};

/** Both services of AWS Marketplace are called in this region, wherever the customer is. */
const REGION = "us-east-1";
/** The first attempt and two more, with the waits of the SDK between. */
const MAX_ATTEMPTS = 3;
const CONNECTION_TIMEOUT_MS = 5 * SECOND_MS;
const REQUEST_TIMEOUT_MS = 10 * SECOND_MS;
/** What AWS says of a token that cannot be resolved any more, or never could. */
const TOKEN_ERRORS = ["InvalidTokenException", "ExpiredTokenException"];

/** What AWS says of a batch with a record that it does not take. */
const RECORD_ERRORS = [
  "InvalidCustomerIdentifierException",
  "InvalidLicenseException",
  "InvalidProductCodeException",
  "InvalidUsageDimensionException",
  "TimestampOutOfBoundsException",
];

type Clients = { metering: MarketplaceMeteringClient; entitlements: MarketplaceEntitlementServiceClient };

/** Creates the client. The SDK is loaded at the first call: only servers that sell at AWS Marketplace need it. */
export function createAwsClient(connection: AwsConnection): AwsClient {
  let loading: Promise<Clients> | null = null;
  const getClients = () => {
    loading ??= loadClients(connection);
    return loading;
  };
  return {
    resolveCustomer: (token) => resolveCustomer(getClients, token).catch((error) => refuse(error, connection.log)),
    getEntitlements: (productCode, accountId) =>
      getEntitlements(getClients, productCode, accountId).catch((error) => refuse(error, connection.log)),
    meterUsage: (productCode, records) =>
      meterUsage(getClients, productCode, records).catch((error) => refuse(error, connection.log)),
  };
}

async function loadClients({ credentials, apiBase }: AwsConnection): Promise<Clients> {
  const [{ MarketplaceMeteringClient: Metering }, { MarketplaceEntitlementServiceClient: Entitlements }] =
    await Promise.all([
      import("@aws-sdk/client-marketplace-metering"),
      import("@aws-sdk/client-marketplace-entitlement-service"),
    ]);
  const config = {
    region: REGION,
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    // A copy, because the SDK adds fields to it.
    ...(credentials && { credentials: { ...credentials } }),
    ...(apiBase !== undefined && { endpoint: apiBase }),
  };
  return { metering: new Metering(config), entitlements: new Entitlements(config) };
}

async function resolveCustomer(
  getClients: () => Promise<Clients>,
  token: string,
): Promise<ResolveCustomerResult | null> {
  const { ResolveCustomerCommand } = await import("@aws-sdk/client-marketplace-metering");
  const { metering } = await getClients();
  try {
    return await metering.send(new ResolveCustomerCommand({ RegistrationToken: token }));
  } catch (error) {
    if (TOKEN_ERRORS.includes(nameOf(error))) return null;
    throw error;
  }
}

async function getEntitlements(
  getClients: () => Promise<Clients>,
  productCode: string,
  accountId: string,
): Promise<Entitlement[]> {
  const { paginateGetEntitlements } = await import("@aws-sdk/client-marketplace-entitlement-service");
  const { entitlements: client } = await getClients();
  const request = { ProductCode: productCode, Filter: { CUSTOMER_AWS_ACCOUNT_ID: [accountId] } };
  const found: Entitlement[] = [];
  for await (const { Entitlements = [] } of paginateGetEntitlements({ client }, request)) found.push(...Entitlements);
  return found;
}

async function meterUsage(
  getClients: () => Promise<Clients>,
  productCode: string | undefined,
  records: UsageRecord[],
): ReturnType<AwsClient["meterUsage"]> {
  const { BatchMeterUsageCommand } = await import("@aws-sdk/client-marketplace-metering");
  const { metering } = await getClients();
  const product = productCode === undefined ? {} : { ProductCode: productCode };
  try {
    return await metering.send(new BatchMeterUsageCommand({ ...product, UsageRecords: records }));
  } catch (error) {
    if (RECORD_ERRORS.includes(nameOf(error))) return { error: nameOf(error) };
    throw error;
  }
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : "");

/** Throws `marketplace.unavailable` and logs the kind of error, without its text, which may quote tokens and keys. */
function refuse(error: unknown, log: Pick<Logger, "error">): never {
  log.error({ aws: { name: nameOf(error), ...toMetadata(error) } }, "AWS Marketplace did not carry out a request");
  throw toUnavailable();
}

function toUnavailable(): AppError {
  return errors.marketplace.unavailable({ marketplace: MARKETPLACE_NAMES.aws });
}

function toMetadata(error: unknown): { status?: number; request_id?: string } {
  if (!(error instanceof Error) || !("$metadata" in error)) return {};
  const { httpStatusCode, requestId } = error.$metadata as { httpStatusCode?: number; requestId?: string };
  return {
    ...(httpStatusCode !== undefined && { status: httpStatusCode }),
    ...(requestId !== undefined && { request_id: requestId }),
  };
}
