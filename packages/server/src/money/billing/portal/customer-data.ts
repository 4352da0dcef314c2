import { z } from "zod";
import { findHiddenCharacters } from "../../../platform/core/texts/public-names.ts";
import type { CustomerData } from "../../payment-services/index.ts";
import type { BillingDetails } from "../../taxes/index.ts";
import type { Contact } from "../billing.repository.ts";
import { DETAIL_PARTS, type DetailPart, type RefusedDetails } from "./refused-details.ts";

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
/**
 * What was changed of a part: the fields to take over, none where all are as here already; or why billing details do not take
 * them.
 */
export type ChangedPart = { part: DetailPart } & ({ change: ChangedData } | { problem: string });

const FIELDS = {
  name: ["name"],
  email: ["email"],
  address: ["address", "postalCode", "city", "country"],
} as const satisfies Record<DetailPart, readonly (keyof CustomerData)[]>;
const FIELD_NAMES: Readonly<Record<string, string>> = { postalCode: "postal code" };

/** Returns what the payment service is told of an organization: where details are not set, who its contact is. */
export function ownDataOf(details: BillingDetails, contact: Contact | null): CustomerData {
  const { address, postalCode, city, country } = details;
  const name = details.name ?? contact?.name ?? null;
  return { name, email: details.email ?? contact?.email ?? null, address, postalCode, city, country };
}

/**
 * Returns the parts that were changed at the payment service since it was last seen. Of them, the fields differ from what was
 * seen and from ours; of a part that was refused before, all that differ from ours.
 */
export function findChangedParts(
  found: CustomerData,
  seen: CustomerData,
  own: CustomerData,
  refused: RefusedDetails,
): ChangedPart[] {
  return DETAIL_PARTS.filter((part) => FIELDS[part].some((name) => found[name] !== seen[name])).map((part) => {
    const changed = FIELDS[part].filter(
      (name) =>
        (found[name] !== seen[name] || refused[part] !== undefined) && flatten(found[name]) !== flatten(own[name]),
    );
    const accepted = acceptedSchema.safeParse(Object.fromEntries(changed.map((name) => [name, found[name]])));
    if (accepted.success) return { part, change: accepted.data };
    const field = String(accepted.error.issues[0]?.path[0]);
    const subject = field === part ? "it" : `its ${FIELD_NAMES[field] ?? field}`;
    return { part, problem: `${subject} is too long, or has not the form that is needed` };
  });
}

/** The service breaks an address into other lines than ours. */
function flatten(value: string | null): string {
  return (value ?? "").replaceAll(/[\s,]+/g, " ").trim();
}
