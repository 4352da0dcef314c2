import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { FastifySchemaValidationError } from "fastify";
import { type AppError, invalidRequest } from "../shared/errors.ts";

const MAX_NAMED_FAULTS = 20;

type HttpPart = string | undefined;

/** Answers whether the data holds, and leaves the faults of the last call in `errors`. */
type Validate = { (data: unknown): boolean; errors?: ErrorObject[] | null };

/** Compilers of the contract's schemas. Bodies are taken as they are; query, path and headers arrive as text. */
export function createValidators() {
  const body = ajv({ useDefaults: false });
  const text = ajv({ useDefaults: true, coerceTypes: "array" });
  // Query parameters that the contract does not name are dropped, so that no handler ever sees them.
  const query = ajv({ useDefaults: true, coerceTypes: "array", removeAdditional: "all" });
  const compilerOf = (part: HttpPart) => (part === "body" ? body : part === "querystring" ? query : text);
  const responses = ajv({});
  return {
    forRequest: (schema: object, part: HttpPart): Validate => lazily(() => compilerOf(part).compile(schema)),
    forResponse: (schema: object): ValidateFunction => responses.compile(schema),
  };
}

/** Compiles at the first use: all schemas of the contract at once would take half a second of every start. */
function lazily(compile: () => ValidateFunction): Validate {
  let compiled: ValidateFunction | undefined;
  const validate: Validate = (data) => {
    compiled ??= compile();
    const valid = compiled(data) === true;
    validate.errors = compiled.errors ?? null;
    return valid;
  };
  return validate;
}

function ajv(options: object): Ajv2020 {
  const instance = new Ajv2020({ strict: false, ...options });
  formats.default(instance);
  return instance;
}

/**
 * A refusal that names the first field at fault. Validation stops there, so that a request with many faults costs no more
 * than one with a single fault. Where a schema has alternatives, the faults of each are named.
 */
export function validationError(faults: readonly FastifySchemaValidationError[], part: HttpPart): AppError {
  const fields = faults
    .slice(0, MAX_NAMED_FAULTS)
    .map((fault) => ({ field: fieldOf(fault), message: describe(fault) }));
  const unique = [...new Map(fields.map((field) => [field.field + field.message, field])).values()];
  const first = unique[0];
  const where = part === "querystring" ? "query" : part === "params" ? "path" : part;
  return invalidRequest(first ? first.message : "The request is not valid.", {
    ...(first && first.field !== "" && { param: first.field }),
    details: { in: where, fields: unique },
  });
}

function fieldOf(fault: FastifySchemaValidationError): string {
  const path = fault.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const { missingProperty, additionalProperty, unevaluatedProperty } = fault.params as ErrorObject["params"];
  const last = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  return [...path, ...(typeof last === "string" ? [last] : [])].join(".");
}

function describe(fault: FastifySchemaValidationError): string {
  const field = fieldOf(fault);
  if (fault.keyword === "required") return `${field} is required.`;
  if (fault.keyword === "additionalProperties" || fault.keyword === "unevaluatedProperties")
    return `${field} is not a field of this request.`;
  if (field === "") return `The body is not valid: it ${fault.message ?? "has the wrong form"}.`;
  return fault.message ? `${field} is not valid: it ${fault.message}.` : `${field} is not valid.`;
}
