import type { Stripe } from "stripe";
import { SECOND_MS } from "../../../platform/core/time.ts";
import type { PaymentConnection, Permission, WebhookState } from "../payment-connection.ts";
import { asStripeError, isMissing, type StripeDeps } from "./stripe-client.ts";
import { PORTAL_EVENTS, WEBHOOK_EVENTS } from "./stripe-webhooks.ts";

type Probe = Omit<Permission, "state"> & { send(stripe: Stripe): Promise<unknown> };
/** What a probe found: `refused` is the key as a whole, which is wrong, expired or revoked. */
type Outcome = Permission["state"] | "refused";

/** An admin waits for the check, so nothing is repeated. */
const OPTIONS = { timeout: 8 * SECOND_MS, maxNetworkRetries: 0 };
/** Stripe gives no such ids, so that nothing can be changed by a request that names one. */
const NO_ID = "feather_permission_check";

/**
 * Requests that change nothing: lists of one object, and changes of objects that do not exist. Stripe refuses a key without the
 * permission with 403 before it looks for the object, and answers 404 where the key has it.
 */
const PROBES: readonly Probe[] = [
  { name: "Customers", access: "write", send: (stripe) => stripe.customers.update(`cus_${NO_ID}`, {}, OPTIONS) },
  {
    name: "Setup Intents",
    access: "write",
    send: (stripe) => stripe.setupIntents.cancel(`seti_${NO_ID}`, {}, OPTIONS),
  },
  {
    name: "Payment Intents",
    access: "write",
    send: (stripe) => stripe.paymentIntents.cancel(`pi_${NO_ID}`, {}, OPTIONS),
  },
  {
    name: "Payment Methods",
    access: "write",
    send: (stripe) => stripe.paymentMethods.detach(`pm_${NO_ID}`, {}, OPTIONS),
  },
  { name: "Refunds", access: "write", send: (stripe) => stripe.refunds.update(`re_${NO_ID}`, {}, OPTIONS) },
  { name: "Charges", access: "read", send: (stripe) => stripe.charges.list({ limit: 1 }, OPTIONS) },
  { name: "Disputes", access: "read", send: (stripe) => stripe.disputes.list({ limit: 1 }, OPTIONS) },
];

/** Stripe looks for the calculation of a transaction only with the permission to write, which includes calculations. */
const TAX_PROBE: Probe = {
  name: "Tax Calculations and Transactions",
  access: "write",
  send: (stripe) =>
    stripe.tax.transactions.createFromCalculation({ calculation: `taxcalc_${NO_ID}`, reference: NO_ID }, OPTIONS),
};

const PORTAL_PROBE: Probe = {
  name: "Customer portal",
  access: "write",
  send: (stripe) => stripe.billingPortal.configurations.update(`bpc_${NO_ID}`, {}, OPTIONS),
};

type Deps = StripeDeps & {
  publicUrl: string;
  calculatesTaxes: boolean;
  /** The customer portal, with the configuration that is named; null while it is off. */
  portal: { configuration: string | undefined } | null;
};

/** Returns account and mode, whether webhooks arrive here, and which permissions the key has. Changes nothing at Stripe. */
export async function checkStripeConnection(deps: Deps): Promise<PaymentConnection> {
  const { getStripe, isTest, publicUrl, calculatesTaxes, portal } = deps;
  const probes = [...PROBES, ...(calculatesTaxes ? [TAX_PROBE] : []), ...(portal ? [PORTAL_PROBE] : [])];
  const events = [...WEBHOOK_EVENTS, ...(portal ? PORTAL_EVENTS : [])];
  const stripe = await getStripe();
  const [account, { webhook, problem }, outcomes, portalProblems] = await Promise.all([
    findAccount(stripe),
    findWebhook(stripe, `${publicUrl}/api/payments/stripe/webhook`, events),
    Promise.all(probes.map(async (probe) => ({ probe, outcome: await send(stripe, probe) }))),
    portal ? findPortalProblems(stripe, portal.configuration) : [],
  ]);
  const permissions = outcomes.map(({ probe: { name, access }, outcome }) => ({
    name,
    access,
    state: outcome === "refused" ? ("unknown" as const) : outcome,
  }));
  const isRefused = outcomes.some(({ outcome }) => outcome === "refused");
  const problems = isRefused
    ? [
        "Stripe refuses STRIPE_SECRET_KEY: it is wrong, expired or revoked. Set another one, and start the server again.",
      ]
    : [...describePermissions(permissions), ...(problem === null ? [] : [problem]), ...portalProblems];
  return { driver: "stripe", isTest, account, webhook, permissions, problems };
}

async function send(stripe: Stripe, probe: Probe): Promise<Outcome> {
  try {
    await probe.send(stripe);
    return "granted";
  } catch (error) {
    if (isMissing(error)) return "granted";
    const type = asStripeError(error)?.type;
    if (type === "StripePermissionError") return "missing";
    return type === "StripeAuthenticationError" ? "refused" : "unknown";
  }
}

/** Returns the account; null where the key may not read it, which payments do not need. */
async function findAccount(stripe: Stripe): Promise<PaymentConnection["account"]> {
  const account = await stripe.accounts.retrieveCurrent({}, OPTIONS).catch(() => null);
  return account && { id: account.id, name: account.settings?.dashboard.display_name ?? null };
}

/** Returns whether events are sent to an address, and what to do about it; null if nothing. */
async function findWebhook(
  stripe: Stripe,
  url: string,
  events: readonly string[],
): Promise<{ webhook: WebhookState; problem: string | null }> {
  try {
    const endpoints: Stripe.WebhookEndpoint[] = [];
    for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 }, OPTIONS)) endpoints.push(endpoint);
    const webhook = toWebhookState(url, endpoints, events);
    return { webhook, problem: describeWebhook(webhook) };
  } catch (error) {
    const problem =
      asStripeError(error)?.type === "StripePermissionError"
        ? `Whether webhooks are sent to ${url} is not known: give the key read for Webhook Endpoints, or look it up ${WHERE}.`
        : "Stripe did not answer about webhook endpoints. Check again later.";
    return { webhook: { state: "unknown", url, missingEvents: [] }, problem };
  }
}

/** Of several endpoints with the address the one counts that lacks fewest events; one that is disabled does not. */
function toWebhookState(
  url: string,
  endpoints: readonly Stripe.WebhookEndpoint[],
  events: readonly string[],
): WebhookState {
  const here = endpoints.filter((endpoint) => endpoint.url === url);
  const enabled = here.filter(({ status }) => status === "enabled");
  if (enabled.length === 0) return { state: here.length === 0 ? "missing" : "disabled", url, missingEvents: [] };
  const [missingEvents = []] = enabled
    .map(({ enabled_events: sent }) => (sent.includes("*") ? [] : events.filter((event) => !sent.includes(event))))
    .toSorted((a, b) => a.length - b.length);
  return { state: missingEvents.length === 0 ? "registered" : "incomplete", url, missingEvents };
}

/** What the portal may change, of what is taken over here. */
const PORTAL_UPDATES = ["name", "email", "address"];
const PORTAL_SETTINGS = "at Stripe, under Settings > Billing > Customer portal";

/** Returns what is wrong with the settings of the customer portal at Stripe. What the key may not read is a missing permission. */
async function findPortalProblems(stripe: Stripe, configuration: string | undefined): Promise<string[]> {
  try {
    const found = await findPortal(stripe, configuration);
    if (!found?.active)
      return configuration === undefined
        ? [`The customer portal is not set up: save its settings ${PORTAL_SETTINGS}.`]
        : [`STRIPE_PORTAL_CONFIGURATION: Stripe has no active configuration ${configuration}.`];
    const { payment_method_update: cards, customer_update: customer } = found.features;
    const ignored = customer.enabled ? customer.allowed_updates.filter((name) => !PORTAL_UPDATES.includes(name)) : [];
    return [
      ...(cards.enabled ? [] : [`Cards cannot be changed in the customer portal: switch that on ${PORTAL_SETTINGS}.`]),
      ...(ignored.length === 0
        ? []
        : [`The customer portal takes ${ignored.join(", ")}, which is not used: switch it off ${PORTAL_SETTINGS}.`]),
    ];
  } catch (error) {
    if (asStripeError(error)?.type === "StripePermissionError") return [];
    return ["Stripe did not answer about the customer portal. Check again later."];
  }
}

async function findPortal(stripe: Stripe, configuration: string | undefined) {
  if (configuration === undefined) {
    const { data } = await stripe.billingPortal.configurations.list({ is_default: true, limit: 1 }, OPTIONS);
    return data[0] ?? null;
  }
  return stripe.billingPortal.configurations.retrieve(configuration, {}, OPTIONS).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}

function describePermissions(permissions: readonly Permission[]): string[] {
  const listed = (state: Permission["state"]) =>
    permissions
      .filter((one) => one.state === state)
      .map(({ name, access }) => `${access} for ${name}`)
      .join(", ");
  const [missing, unknown] = [listed("missing"), listed("unknown")];
  return [
    ...(missing ? [`The key lacks permissions: give it ${missing} at Stripe, under Developers > API keys.`] : []),
    ...(unknown ? [`Stripe did not answer about ${unknown}. Check again later.`] : []),
  ];
}

const WHERE = "at Stripe, under Developers > Webhooks";

function describeWebhook({ state, url, missingEvents }: WebhookState): string | null {
  if (state === "incomplete") return `The webhook endpoint lacks events: add ${missingEvents.join(", ")} ${WHERE}.`;
  if (state === "disabled") return `The webhook endpoint is disabled: enable it ${WHERE}.`;
  if (state !== "missing") return null;
  return `No webhook endpoint has the address ${url}: add it ${WHERE}, and set STRIPE_WEBHOOK_SECRET to its secret.`;
}
