import { pathToFileURL } from "node:url";
import type { Logger } from "pino";
import { z } from "zod";
import { SettingsError } from "../../../platform/core/settings.ts";
import type { PaymentDriver, PaymentService, PaymentServiceOptions, WebhookReader } from "../payment-driver.ts";
import { guardDriver, guardWebhooks } from "./guarded-service.ts";

type Deps = { publicUrl: string; log: Pick<Logger, "error"> };

const run = z.custom<(...input: never[]) => unknown>((value) => typeof value === "function", "must be a function");
const NAME = /^[a-z][a-z0-9_-]{1,39}$/;
const TAKEN: readonly string[] = ["off", "test", "stripe"];

const moduleSchema = z.object({
  interfaceVersion: z.literal(1, "must be 1, the version of the interface that this server has"),
  createPaymentService: run,
});
const driverFunctions = {
  minChargeCents: run,
  createCustomer: run,
  createSetup: run,
  findSetup: run,
  charge: run,
  find: run,
  cancel: run,
  removeCard: run,
  refund: run,
} satisfies Record<Exclude<keyof PaymentDriver, "name" | "isTest">, typeof run>;
const serviceSchema = z.object({
  driver: z.object({
    name: z
      .string()
      .regex(NAME, "must have 2 to 40 lowercase letters, digits, - and _, and begin with a letter")
      .refine((name) => !TAKEN.includes(name), "must not be off, test or stripe"),
    isTest: z.boolean(),
    ...driverFunctions,
  }),
  webhooks: z.object({ read: run, resolve: run } satisfies Record<keyof WebhookReader, typeof run>).nullish(),
});

/**
 * Loads the operator's payment driver and checks that it has the interface. Returns null where the settings name none. Throws
 * `SettingsError` for one that cannot be loaded, or lacks something.
 */
export async function loadPaymentService(
  { payments, paymentModule }: { payments: string; paymentModule: string | undefined },
  { publicUrl, log }: Deps,
): Promise<PaymentService | null> {
  if (payments !== "module" || paymentModule === undefined) return null;
  const options: PaymentServiceOptions = {
    returnUrl: `${publicUrl}/account/payment-method-added`,
    webhookUrl: `${publicUrl}/api/payments/webhook`,
  };
  const exported = check(moduleSchema, await load(paymentModule));
  const created = await attempt("createPaymentService failed", async () =>
    (exported.createPaymentService as (given: PaymentServiceOptions) => unknown)(options),
  );
  check(serviceSchema, created);
  const { driver, webhooks } = created as PaymentService;
  const guard = { name: driver.name, log };
  return { driver: guardDriver(guard, driver), webhooks: webhooks ? guardWebhooks(guard, webhooks) : null };
}

/** Imports a file by its path, or a package by its name. */
function load(name: string): Promise<unknown> {
  const specifier = name.startsWith("/") ? pathToFileURL(name).href : name;
  return attempt(`${name} cannot be loaded`, () => import(/* @vite-ignore */ specifier));
}

async function attempt<T>(failure: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw new SettingsError(`FEATHER_PAYMENT_MODULE: ${failure}: ${error instanceof Error ? error.message : error}`);
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the value"} ${message}`);
  throw new SettingsError(`FEATHER_PAYMENT_MODULE: the module does not have the interface: ${problems.join("; ")}.`);
}
