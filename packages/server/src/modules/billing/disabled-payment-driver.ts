import { paymentsOff } from "./billing.errors.ts";
import type { PaymentDriver } from "./payment-driver.ts";

const refuse = async (): Promise<never> => {
  throw paymentsOff();
};

/** The payment driver while payments are switched off: every call throws `payments_off`. */
export const disabledPaymentDriver: PaymentDriver = {
  name: "off",
  isTest: true,
  setUp: refuse,
  charge: refuse,
  find: refuse,
  cancel: refuse,
  refund: refuse,
};
