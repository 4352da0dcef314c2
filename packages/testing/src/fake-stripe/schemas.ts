import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";

type Schema = { [name: string]: unknown };

/**
 * The schemas of the objects that the stand-in returns, from Stripe's published OpenAPI document 2026-08-26.dahlia, as the Go module
 * github.com/stripe/stripe-mock v0.203.0 holds it (`embedded/openapi/spec3.json`). Texts are left out, `nullable` is written as a
 * type, and references to other schemas accept any object.
 */
const SCHEMAS = JSON.parse(readFileSync(new URL("schemas.json", import.meta.url), "utf8")) as Record<string, Schema>;

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({
  $id: "stripe",
  components: {
    schemas: Object.fromEntries(
      Object.entries(SCHEMAS).map(([name, schema]) => [name, { ...schema, additionalProperties: false }]),
    ),
  },
});
const compiled = new Map<string, ValidateFunction>();

/**
 * Checks an object that the stand-in returns, by the schema of its kind; of a list each of its objects, of an event the object
 * that it is about. Throws what differs: fields that are missing, of another type, or unknown to Stripe.
 */
export function assertIsStripeObject(value: object): void {
  const { object: kind, data } = value as { object?: string; data?: unknown };
  if (kind === "list") {
    for (const item of data as object[]) assertIsStripeObject(item);
    return;
  }
  const isDeleted = "deleted" in value;
  check(kind === undefined ? "error" : isDeleted ? `deleted_${kind}` : kind, value);
  if (kind === "event") assertIsStripeObject((data as { object: object }).object);
}

function check(name: string, value: object): void {
  const validate = compiled.get(name) ?? ajv.compile({ $ref: `stripe#/components/schemas/${name}` });
  compiled.set(name, validate);
  if (!validate(value))
    throw new Error(`The stand-in's ${name} is not Stripe's: ${ajv.errorsText(validate.errors, { dataVar: name })}`);
}
