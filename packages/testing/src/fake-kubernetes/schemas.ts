import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";

/**
 * Schemas recorded from the API server of Kubernetes 1.34 by `RECORD_SCHEMAS=on npm run test:kubernetes`. Without the variable,
 * the same tests check that they still hold.
 */
const SCHEMAS = JSON.parse(readFileSync(new URL("schemas.json", import.meta.url), "utf8")) as Record<string, Schema>;
type Schema = { [name: string]: unknown };

/** Returns why an object is not valid, in the words of the schema's place; null if it is valid. */
export type Validate = (kind: string, object: unknown) => string | null;

/** Creates the validation of written objects. As with the API server's strict validation, unknown fields are refused. */
export function createValidation(): Validate {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: "cluster", components: { schemas: mapValues(SCHEMAS, close) } });
  const compiled = new Map<string, ValidateFunction>();
  return (kind, object) => {
    const name = Object.keys(SCHEMAS).find((schema) => schema.endsWith(`.${kind}`));
    if (name === undefined) return `there is no kind ${kind} here`;
    const validate = compiled.get(kind) ?? ajv.compile({ $ref: `cluster#/components/schemas/${name}` });
    compiled.set(kind, validate);
    return validate(object) ? null : ajv.errorsText(validate.errors, { dataVar: kind });
  };
}

/** Objects with named properties have no others. */
function close(schema: Schema): Schema {
  return schema.properties === undefined ? schema : { ...schema, additionalProperties: false };
}

function mapValues(values: Record<string, Schema>, change: (value: Schema) => Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
