import { errors } from "../../platform/core/errors/index.ts";
import type { PaymentDriver } from "./payment-driver.ts";

const refuse = async (): Promise<never> => {
  throw errors.payments.off();
};

/** The payment driver while payments are switched off: every call throws `payments.off`. */
export const disabledPaymentDriver: PaymentDriver = {
  name: "off",
  isTest: true,
  minChargeCents: () => 0,
  createCustomer: refuse,
  createSetup: refuse,
  findSetup: refuse,
  removeCard: refuse,
  charge: refuse,
  find: refuse,
  cancel: refuse,
  refund: refuse,
};
