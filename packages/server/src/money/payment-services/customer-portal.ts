import { z } from "zod";
import type { Card } from "./payment-driver.ts";

/** Name, address and email of a customer at the payment service, as billing details are stored. Null is what is not set. */
export const customerDataSchema = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** Lines of the address. */
  address: z.string().nullable(),
  postalCode: z.string().nullable(),
  city: z.string().nullable(),
  country: z.string().nullable(),
});
/** Name, address and email of a customer at the payment service. */
export type CustomerData = z.infer<typeof customerDataSchema>;

/** A customer as the payment service has it now. `defaultCard` is the reference of the card that pays there. */
export type CustomerRecord = { details: CustomerData; cards: Card[]; defaultCard: string | null };

/**
 * The page of the payment service where people change cards and addresses. A call without a usable response throws
 * `payments.pending`.
 */
export type CustomerPortal = {
  /** Returns what a customer is; null if the service no longer has it. */
  find(customer: string): Promise<CustomerRecord | null>;
  /** Changes the details of a customer and the card that pays, and returns them as they are then; null if the service no longer has it. */
  save(
    customer: string,
    record: Pick<CustomerRecord, "details" | "defaultCard">,
  ): Promise<Pick<CustomerRecord, "details" | "defaultCard"> | null>;
  /** Returns the address of a page that works once. Throws `payments.portal_unavailable` where the service refuses it. */
  open(customer: string): Promise<string>;
};
