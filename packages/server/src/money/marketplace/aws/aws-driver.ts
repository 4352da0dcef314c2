import type { Entitlement } from "@aws-sdk/client-marketplace-entitlement-service";
import { bind } from "../../../platform/core/bind.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Outgoing } from "../../../platform/core/network/outgoing.ts";
import type {
  MarketplaceDriver,
  MarketplaceNotification,
  Purchase,
  PurchasedItem,
  ReceivedNotification,
} from "../marketplace-driver.ts";
import type { AwsClient } from "./aws-client.ts";
import { readAwsEvent } from "./aws-events.ts";
import { isTooLateForAws, meterAtAws } from "./aws-metering.ts";
import { type AwsReference, formatReference, parseLicenseId, parseReference } from "./aws-reference.ts";
import { confirmSubscription, createCertificates, verifyMessage } from "./sns-messages.ts";

type Deps = {
  client: AwsClient;
  /** Codes of the products that sell plans. */
  products: readonly string[];
  /** ARNs of the topics whose messages are taken: anybody may have a topic of their own. */
  topics: readonly string[];
  fetch: Outgoing["fetch"];
  /** Address of a stand-in for AWS. */
  apiBase?: string | undefined;
  now(): Date;
};
type Context = Deps & { certificates: ReturnType<typeof createCertificates> };

/**
 * Creates the driver of AWS Marketplace. What a license entitles to is what was bought, so that products need contract
 * pricing; AWS confirms a purchase by itself, and has no call to reject one.
 */
export function createAwsDriver(deps: Deps): MarketplaceDriver {
  const context = { ...deps, certificates: createCertificates(deps) };
  return {
    isTest: false,
    exchangeToken: null,
    ...bind(context, { resolve, find: findPurchase, readNotification }),
    confirm: async () => {},
    reject: null,
    meter: (reports) => meterAtAws(deps.client, reports),
    isTooLate: isTooLateForAws,
  };
}

async function resolve(deps: Context, token: string): Promise<Purchase | null> {
  const customer = await deps.client.resolveCustomer(token);
  if (!customer) return null;
  const { ProductCode: productCode = "", CustomerAWSAccountId: accountId, CustomerIdentifier: customerId } = customer;
  if (!deps.products.includes(productCode)) throw errors.marketplace.unknownProduct({ product: productCode });
  if (accountId === undefined) return null;
  const reference = { productCode, accountId, licenseId: parseLicenseId(customer.LicenseArn) };
  const found = await readPurchase(deps, reference);
  return {
    ...(found ?? { reference: formatReference(reference), items: [], state: "unconfirmed" as const, awaits: null }),
    usageId: customer.LicenseArn ?? formatReference(reference),
    // Notifications about products that were listed before June 2026 name the customer by this id only.
    customerId: customerId || accountId,
  };
}

function findPurchase(deps: Context, reference: string): Promise<Purchase | null> {
  return readPurchase(deps, parseReference(reference));
}

async function readPurchase({ client, now }: Context, reference: AwsReference): Promise<Purchase | null> {
  const { productCode, accountId, licenseId } = reference;
  const entitlements = (await client.getEntitlements(productCode, accountId)).filter(
    ({ LicenseArn, ExpirationDate }) =>
      (licenseId === null || parseLicenseId(LicenseArn) === licenseId) &&
      (ExpirationDate === undefined || ExpirationDate > now()),
  );
  const items = entitlements.map(toItem).filter((item) => item !== null);
  if (items.length === 0) return null;
  // Without a license, usage is reported for the product and the account.
  const usageId = entitlements[0]?.LicenseArn ?? formatReference(reference);
  return {
    reference: formatReference(reference),
    customerId: accountId,
    items,
    state: "active",
    awaits: null,
    usageId,
  };
}

/** Returns what an entitlement is to: a number of units, or one where it says yes. Null where it says no or nothing. */
function toItem({ Dimension: offer, Value: value }: Entitlement): PurchasedItem | null {
  const quantity = value?.IntegerValue ?? value?.DoubleValue ?? (value?.BooleanValue === true ? 1 : 0);
  return offer === undefined || quantity < 1 ? null : { offer, quantity: Math.floor(quantity) };
}

async function readNotification(
  deps: Context,
  received: ReceivedNotification,
): Promise<MarketplaceNotification | null> {
  const message = await verifyMessage(received.body, deps.topics, deps.certificates);
  if (message.Type === "SubscriptionConfirmation") {
    await confirmSubscription(message, deps);
    return null;
  }
  return message.Type === "Notification" ? readAwsEvent(message, deps.products) : null;
}
