import { expect, onTestFinished, test } from "vitest";
import { loadPaymentService } from "./load-payment-module.ts";
import { writeModule } from "./testing/example-driver.ts";

const FUNCTIONS = ["createCustomer", "createSetup", "findSetup", "charge", "find", "cancel", "removeCard", "refund"];
const driverOf = (results: Record<string, string> = {}, name = "bank") => {
  const functions = FUNCTIONS.map((one) => `${one}: async () => (${results[one] ?? "null"})`).join(", ");
  return `{ name: ${JSON.stringify(name)}, isTest: false, minChargeCents: () => 50, ${functions} }`;
};
const moduleOf = (driver: string, version = 1) =>
  `export const interfaceVersion = ${version}; export const createPaymentService = () => ({ driver: ${driver} });`;

async function load(code: string, errors: unknown[] = []) {
  const { path, remove } = await writeModule(code);
  onTestFinished(remove);
  const log = { error: (...parts: unknown[]) => void errors.push(parts) };
  const service = await loadPaymentService({ payments: "module", paymentModule: path }, { publicUrl: "http://x", log });
  if (!service) throw new Error("Nothing was loaded.");
  return service;
}

test.each([
  ["another version of the interface", moduleOf(driverOf(), 2), "interfaceVersion must be 1"],
  ["no createPaymentService", "export const interfaceVersion = 1;", "createPaymentService must be a function"],
  [
    "a driver without a function",
    moduleOf(driverOf().replace("refund:", "other:")),
    "driver.refund must be a function",
  ],
  ["the name of a driver of Feather", moduleOf(driverOf({}, "stripe")), "driver.name must not be off, test or stripe"],
  ["a name with spaces", moduleOf(driverOf({}, "My bank")), "driver.name must have 2 to 40 lowercase letters"],
  [
    "a service that cannot be created",
    `export const interfaceVersion = 1; export const createPaymentService = () => { throw new Error("BANK_KEY is needed"); };`,
    "createPaymentService failed: BANK_KEY is needed",
  ],
  ["code that cannot be read", "export const = 1;", "cannot be loaded"],
])("a payment module with %s is refused in words", async (_what, code, problem) => {
  await expect(load(code)).rejects.toThrow(problem);
});

test("a payment module that does not exist is refused in words", async () => {
  const settings = { payments: "module", paymentModule: "feather-no-such-driver" } as const;
  await expect(loadPaymentService(settings, { publicUrl: "http://x", log: { error: () => {} } })).rejects.toThrow(
    "FEATHER_PAYMENT_MODULE: feather-no-such-driver cannot be loaded",
  );
});

const KEY = { paymentId: "pay_1", reference: null, card: "card_1", createdAt: new Date(0) };
const CHARGE = { ...KEY, card: "card_1", amountCents: 100, currency: "USD", description: "x", isBuyerPresent: true };

test.each([
  ["throws", "(() => { throw new Error('down'); })()"],
  ["returns nothing", "undefined"],
  ["returns an unknown event", "{ id: 'e', paymentId: 'pay_1', type: 'paid' }"],
  ["returns the event of another payment", "{ id: 'e', paymentId: 'pay_2', type: 'payment.succeeded' }"],
])("a charge whose payment driver %s is pending, and logged", async (_what, result) => {
  const errors: unknown[] = [];
  const { driver } = await load(moduleOf(driverOf({ charge: result })), errors);
  await expect(driver.charge(CHARGE)).rejects.toMatchObject({ code: "payments.pending" });
  expect(errors).toHaveLength(1);
});

test.each(["javascript:alert(1)", "/pages/1", ""])(
  "a setup with the address %j is not shown to anybody",
  async (url) => {
    const setup = `{ reference: "s", clientSecret: null, url: ${JSON.stringify(url)} }`;
    const { driver } = await load(moduleOf(driverOf({ createSetup: setup })));
    await expect(driver.createSetup({ setupId: "seti_1", customer: "c" })).rejects.toMatchObject({
      code: "payments.pending",
    });
  },
);
