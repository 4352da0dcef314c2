import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { FastifySchemaValidationError } from "fastify";
import { type AppError, errors } from "../platform/core/errors/index.ts";

const MAX_REPORTED_ERRORS = 20;

type HttpPart = string | undefined;

/** Returns whether the data is valid, and sets `errors` for this call. */
export type Validate = { (data: unknown): boolean; errors?: ErrorObject[] | null };

/** Creates the validators of requests and responses. */
export type Validators = ReturnType<typeof createValidators>;

/** The name under which the contract is known to the validators. */
const CONTRACT = "contract";

/** Creates validators for the contract's schemas. Bodies are not coerced. Query, path and headers are coerced from text. */
export function createValidators() {
  const body = createAjv({ useDefaults: false });
  const text = createAjv({ useDefaults: true, coerceTypes: "array" });
  // Undeclared query parameters are dropped, so that no handler sees them.
  const query = createAjv({ useDefaults: true, coerceTypes: "array", removeAdditional: "all" });
  const compilerFor = (part: HttpPart) => (part === "body" ? body : part === "querystring" ? query : text);
  const responses = createAjv({});
  return {
    forRequest: (schema: object, part: HttpPart): Validate => compileLazily(() => compilerFor(part).compile(schema)),
    /** Validates JSON bodies by a schema of the document that is named by a reference, such as `#/components/schemas/Key`. */
    forBody: (document: object, reference: string): Validate => compileNamed(body, document, reference),
    /** Validates forms by such a schema. Values are coerced from text. */
    forForm: (document: object, reference: string): Validate => compileNamed(text, document, reference),
    forResponse: (schema: object): ValidateFunction => responses.compile(schema),
  };
}

/** Compiles a schema of a document on its first use. */
function compileNamed(instance: Ajv2020, document: object, reference: string): Validate {
  return compileLazily(() => {
    if (instance.getSchema(CONTRACT) === undefined) instance.addSchema(document, CONTRACT);
    return instance.compile({ $ref: CONTRACT + reference });
  });
}

/** Compiles a schema on its first use, because compiling all schemas would add half a second to every start. */
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
  // Verbose errors hold the schema that was violated, with its `x-pattern-message`.
  const instance = new Ajv2020({ strict: false, verbose: true, ...options });
  formats.default(instance);
  return instance;
}

/**
 * Returns the error for an invalid request. Its message names the first invalid field. Validation stops at the first error,
 * so that many errors cost no more than one. For a schema with alternatives, it has an error of each alternative.
 */
export function validationError(violations: readonly FastifySchemaValidationError[], part: HttpPart): AppError {
  const fields = toNearestViolations(violations)
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

/**
 * Returns the violations of the alternative that fits the value best: the one whose error is deepest, or concerns more than
 * the type. Without alternatives, returns the only violation.
 */
function toNearestViolations(
  violations: readonly FastifySchemaValidationError[],
): readonly FastifySchemaValidationError[] {
  const ofAlternatives = violations.filter(({ keyword }) => keyword !== "anyOf" && keyword !== "oneOf");
  if (ofAlternatives.length < 2) return ofAlternatives.length > 0 ? ofAlternatives : violations;
  const ranks = ofAlternatives.map(rankOf);
  const best = Math.max(...ranks);
  const nearest = ofAlternatives.filter((_, at) => ranks[at] === best);
  return nearest.every(({ keyword }) => keyword === "type") ? joinTypes(nearest) : nearest;
}

/** Returns how well a value fits an alternative: first the depth of the error, then the kind of the error. */
function rankOf({ instancePath, keyword }: FastifySchemaValidationError): number {
  const depth = instancePath.split("/").length;
  const isAboutKind = keyword === "type" || keyword === "enum" || keyword === "const";
  return 2 * depth + (isAboutKind ? 0 : 1);
}

/** Returns one violation for a value that has the type of none of the alternatives. */
function joinTypes(violations: readonly FastifySchemaValidationError[]): readonly FastifySchemaValidationError[] {
  const [first] = violations;
  if (first === undefined || violations.some(({ instancePath }) => instancePath !== first.instancePath))
    return violations;
  const types = violations.flatMap(({ params }) => (params as ErrorObject["params"]).type as string | string[]);
  return [{ ...first, params: { type: types } }];
}

/** Names of types for messages. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** Returns what a value must be. Null among the types is left out, since it means nothing to a caller who sent a value. */
function describeExpected(error: FastifySchemaValidationError): string | undefined {
  const { keyword, params, message } = error;
  if (keyword === "pattern") return describePattern(error) ?? message;
  const { type, allowedValues, limit } = params as ErrorObject["params"];
  const names = [...new Set([type].flat())].flatMap((name) => TYPE_NAMES[String(name)] ?? []);
  if (keyword === "type" && names.length > 0) return `must be ${joinWords(names)}`;
  if (keyword === "enum" && Array.isArray(allowedValues) && allowedValues.length <= 20)
    return `must be ${joinWords(allowedValues.filter((value) => value !== null).map(String))}`;
  if (keyword === "minItems") return `must have ${limit} item${limit === 1 ? "" : "s"} or more`;
  if (keyword === "maxItems") return `must have ${limit} item${limit === 1 ? "" : "s"} at most`;
  if (keyword === "minProperties") return `must have ${limit} field${limit === 1 ? "" : "s"} or more`;
  if (keyword === "maxProperties") return `must have ${limit} field${limit === 1 ? "" : "s"} at most`;
  return message;
}

function joinWords(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), words.at(-1)].filter((part) => part !== "").join(" or ");
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
  const expected = describeExpected(error);
  if (field === "") return `The body is not valid: it ${expected ?? "has the wrong form"}.`;
  return expected ? `${field} is not valid: it ${expected}.` : `${field} is not valid.`;
}

/** Returns what the contract says about a pattern, which would be unreadable in a message. */
function describePattern(error: FastifySchemaValidationError): string | undefined {
  const { parentSchema = {} } = error as Pick<ErrorObject, "parentSchema">;
  const { "x-pattern-message": message } = parentSchema as { "x-pattern-message"?: string };
  return message;
}
