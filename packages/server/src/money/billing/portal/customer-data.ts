import { z } from "zod";
import { findHiddenCharacters } from "../../../platform/core/texts/public-names.ts";
import type { CustomerData } from "../../payment-services/index.ts";
import type { BillingDetails } from "../../taxes/index.ts";
import type { Contact } from "../billing.repository.ts";

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.split("\n").every((line) => findHiddenCharacters(line) === null))
    .nullable();
/** What the contract demands of billing details. */
const acceptedSchema = z
  .object({
    name: text(200),
    address: text(500),
    postalCode: text(20),
    city: text(100),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullable(),
    email: z.email().max(254).nullable(),
  })
  .partial();

/** The fields that were changed. */
export type ChangedData = z.infer<typeof acceptedSchema>;

const FIELDS = ["name", "email", "address", "postalCode", "city", "country"] as const;

/** Returns what the payment service is told of an organization: where details are not set, who its contact is. */
export function ownDataOf(details: BillingDetails, contact: Contact | null): CustomerData {
  const { address, postalCode, city, country } = details;
  const name = details.name ?? contact?.name ?? null;
  return { name, email: details.email ?? contact?.email ?? null, address, postalCode, city, country };
}

/**
 * Returns the fields that were changed at the payment service: they differ from what was last seen there, and from ours. Null if
 * none; "not valid" if one holds what billing details must not.
 */
export function findChangedData(
  found: CustomerData,
  seen: CustomerData,
  own: CustomerData,
): ChangedData | "not valid" | null {
  const changed = FIELDS.filter((name) => found[name] !== seen[name] && flatten(found[name]) !== flatten(own[name]));
  if (changed.length === 0) return null;
  const accepted = acceptedSchema.safeParse(Object.fromEntries(changed.map((name) => [name, found[name]])));
  return accepted.success ? accepted.data : "not valid";
}

/** The service breaks an address into other lines than ours. */
function flatten(value: string | null): string {
  return (value ?? "").replaceAll(/[\s,]+/g, " ").trim();
}
