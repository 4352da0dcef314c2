import type { Logger } from "pino";
import type { Stripe } from "stripe";
import { type AppError, errors } from "../../../platform/core/errors/index.ts";

/** What the connection to Stripe needs. `apiBase` is the address of a stand-in. */
export type StripeConnection = { secretKey: string; apiBase?: string | undefined };

/** Returns the client of Stripe's API; the same promise for every call. */
export type GetStripe = () => Promise<Stripe>;

/** What the functions of the driver need. */
export type StripeDeps = {
  getStripe: GetStripe;
  /** Whether the key is of Stripe's test mode, in which no money moves. */
  isTest: boolean;
  /** The page of the site to which the buyer returns from their bank. */
  returnUrl: string;
  log: Pick<Logger, "error">;
};

/** An attempt and its one retry end before `follow up payments` looks for the payment, a minute after it began. */
const REQUEST_TIMEOUT_MS = 20_000;
const MAX_RETRIES = 1;

/** Creates the client at the first call: the package is large, and only servers that are paid through Stripe need it. */
export function createStripeClient(connection: StripeConnection): GetStripe {
  let client: Promise<Stripe> | null = null;
  return () => {
    client ??= loadClient(connection);
    return client;
  };
}

async function loadClient({ secretKey, apiBase }: StripeConnection): Promise<Stripe> {
  const { Stripe } = await import("stripe");
  return new Stripe(secretKey, {
    maxNetworkRetries: MAX_RETRIES,
    timeout: REQUEST_TIMEOUT_MS,
    telemetry: false,
    ...(apiBase !== undefined && toAddress(apiBase)),
  });
}

function toAddress(apiBase: string) {
  const { hostname, port, protocol } = new URL(apiBase);
  const scheme = protocol === "http:" ? "http" : "https";
  return { host: hostname, port: port || (scheme === "http" ? 80 : 443), protocol: scheme } as const;
}

/** The fields of Stripe's errors that are read here. */
type StripeError = Error & {
  type: string;
  code?: string;
  decline_code?: string;
  param?: string;
  statusCode?: number;
  requestId?: string;
  headers?: Record<string, string>;
  payment_intent?: Stripe.PaymentIntent;
};

/** Returns an error of the client as such; null for any other error. */
export function asStripeError(error: unknown): StripeError | null {
  return error instanceof Error && "type" in error && String(error.type).startsWith("Stripe")
    ? (error as StripeError)
    : null;
}

/** Returns whether Stripe does not have, or no longer has, what a request named. */
export function isMissing(error: unknown): boolean {
  return asStripeError(error)?.code === "resource_missing";
}

/**
 * Returns `payments.pending` for a request without a usable response, and logs what Stripe said of it, without texts: these
 * may quote keys. Whether it was carried out is unknown; the payment is looked up later.
 */
export function toPendingError(error: unknown, log: Pick<Logger, "error">): AppError {
  const stripeError = asStripeError(error);
  if (!stripeError) throw error;
  const { type, code, param, statusCode, requestId } = stripeError;
  log.error({ stripe: { type, code, param, status: statusCode, request_id: requestId } }, describeError(type));
  return errors.payments.pending();
}

function describeError(type: string): string {
  if (type === "StripeAuthenticationError") return "Stripe refused STRIPE_SECRET_KEY: it is wrong, expired or revoked";
  if (type === "StripePermissionError") return "STRIPE_SECRET_KEY lacks a permission that payments need";
  if (type === "StripeRateLimitError") return "Stripe limits the rate of requests; it is tried again";
  if (type === "StripeConnectionError") return "Stripe could not be reached; it is tried again";
  return "Stripe did not carry out a request; it is tried again";
}
