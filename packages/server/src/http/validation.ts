import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { FastifySchemaValidationError } from "fastify";
import { type AppError, errors } from "../core/errors/index.ts";

const MAX_REPORTED_ERRORS = 20;

type HttpPart = string | undefined;

/** Returns whether the data is valid, and sets `errors` of the last call. */
export type Validate = { (data: unknown): boolean; errors?: ErrorObject[] | null };

/** Validators for the contract's schemas. Bodies are not coerced; query, path and headers are coerced from text. */
export function createValidators() {
  const body = createAjv({ useDefaults: false });
  const text = createAjv({ useDefaults: true, coerceTypes: "array" });
  // Undeclared query parameters are dropped, so that no handler sees them.
  const query = createAjv({ useDefaults: true, coerceTypes: "array", removeAdditional: "all" });
  const compilerFor = (part: HttpPart) => (part === "body" ? body : part === "querystring" ? query : text);
  const responses = createAjv({});
  return {
    forRequest: (schema: object, part: HttpPart): Validate => compileLazily(() => compilerFor(part).compile(schema)),
    forResponse: (schema: object): ValidateFunction => responses.compile(schema),
  };
}

/** Compiles on first use: compiling all schemas at once would add half a second to every start. */
function compileLazily(compile: () => ValidateFunction): Validate {
  let compiled: ValidateFunction | undefined;
  const validate: Validate = (data) => {
    compiled ??= compile();
    const valid = compiled(data) === true;
    validate.errors = compiled.errors ?? null;
    return valid;
  };
  return validate;
}

function createAjv(options: object): Ajv2020 {
  const instance = new Ajv2020({ strict: false, ...options });
  formats.default(instance);
  return instance;
}

/**
 * The error for an invalid request; its message names the first invalid field. Validation stops at the first error, so
 * that many errors cost no more than one; of a schema with alternatives the errors of each are listed.
 */
export function validationError(violations: readonly FastifySchemaValidationError[], part: HttpPart): AppError {
  const fields = violations
    .slice(0, MAX_REPORTED_ERRORS)
    .map((error) => ({ field: fieldOf(error), message: describeError(error) }));
  const unique = [...new Map(fields.map((field) => [field.field + field.message, field])).values()];
  const first = unique[0];
  const location = part === "querystring" ? "query" : part === "params" ? "path" : part;
  return errors.invalidRequest(first ? first.message : "The request is not valid.", {
    ...(first && first.field !== "" && { param: first.field }),
    details: { in: location, fields: unique },
  });
}

function fieldOf(error: FastifySchemaValidationError): string {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const { missingProperty, additionalProperty, unevaluatedProperty } = error.params as ErrorObject["params"];
  const last = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  return [...path, ...(typeof last === "string" ? [last] : [])].join(".");
}

function describeError(error: FastifySchemaValidationError): string {
  const field = fieldOf(error);
  if (error.keyword === "required") return `${field} is required.`;
  if (error.keyword === "additionalProperties" || error.keyword === "unevaluatedProperties")
    return `${field} is not a field of this request.`;
  if (isNamePattern(error)) return `${field} is not valid: it is empty, or holds characters that cannot be seen.`;
  if (field === "") return `The body is not valid: it ${error.message ?? "has the wrong form"}.`;
  return error.message ? `${field} is not valid: it ${error.message}.` : `${field} is not valid.`;
}

/** Whether a text broke the rule of names, whose pattern nobody could read in a message. */
function isNamePattern({ keyword, params }: FastifySchemaValidationError): boolean {
  const { pattern } = params as ErrorObject["params"];
  return keyword === "pattern" && typeof pattern === "string" && pattern.includes("\\u202e");
}
