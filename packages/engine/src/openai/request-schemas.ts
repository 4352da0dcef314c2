import { createSchemaGrammar } from "../json-schema-grammar/create-schema-grammar.ts";
import { isRecord } from "../json-schema-grammar/schema-document.ts";
import { UnusableSchemaError } from "../json-schema-grammar/unusable-schema-error.ts";
import { CALL_END, type OutputShape } from "../model/engine-model.ts";
import { toPlainNumbers } from "../model/exact-numbers.ts";
import { invalidRequest, unsupportedParameter } from "./errors.ts";

/** The fields of a chat request that have schemas. */
export type SchemaFields = {
  response_format?:
    | { type: "text" }
    | { type: "json_object" }
    | { type: "json_schema"; json_schema: { schema?: unknown; strict?: boolean | null | undefined } }
    | null
    | undefined;
  tools?: readonly ToolFields[] | null | undefined;
  tool_choice?: unknown;
};
/** `parameters` may have raw numbers (`parseExactJson`). */
type ToolFields = { function: { parameters?: unknown; strict?: boolean | null | undefined } };

/** What becomes of the schemas of a request. */
export type RequestSchemas = {
  output: OutputShape;
  /** The grammar of each tool; undefined for one that takes no arguments. */
  toolGrammars: readonly (string | undefined)[];
  /** Paths of the keywords that are not held. */
  ignored: readonly string[];
};

/** Whether all schemas have to be held, and whether calls are that the model decides on itself. */
export type SchemaOptions = { isStrict: boolean; holdsOwnCalls: boolean };

type Grammar = { grammar: string; ignored: readonly string[] };
type GrammarOptions = { path: string; isStrict: boolean; isObject: boolean; end: string };

/**
 * Makes grammars of the schemas of a request. Throws for a schema that is not valid, and for a keyword that the grammar
 * does not hold where the schema or the request is strict.
 */
export function readRequestSchemas(request: SchemaFields, options: SchemaOptions): RequestSchemas {
  const answer = readAnswerSchema(request.response_format, options.isStrict);
  const tools = (request.tools ?? []).map((tool, index) =>
    request.tool_choice === "none" ? null : readToolSchema(tool, `tools[${index}].function`, request, options),
  );
  return {
    output: answer ? { type: "grammar", grammar: answer.grammar } : { type: "text" },
    toolGrammars: tools.map((tool) => tool?.grammar),
    ignored: [...(answer?.ignored ?? []), ...tools.flatMap((tool) => tool?.ignored ?? [])],
  };
}

function readAnswerSchema(format: SchemaFields["response_format"], isStrict: boolean): Grammar | null {
  if (!format || format.type === "text") return null;
  const path = "response_format.json_schema.schema";
  const shared = { path, isObject: false, end: "" };
  if (format.type === "json_object") return toGrammar({ type: "object" }, { ...shared, isStrict: false });
  const { schema, strict } = format.json_schema;
  return toGrammar(schema, { ...shared, isStrict: isStrict || strict === true });
}

function readToolSchema(
  { function: { parameters: exactParameters, strict } }: ToolFields,
  path: string,
  { tool_choice: choice }: SchemaFields,
  { isStrict, holdsOwnCalls }: SchemaOptions,
): Grammar | null {
  const parameters = toPlainNumbers(exactParameters);
  if (!takesArguments(parameters)) return null;
  const options = { path: `${path}.parameters`, isStrict: isStrict || strict === true, isObject: true, end: CALL_END };
  const read = toGrammar(parameters, options);
  const isRequired = choice === "required" || isRecord(choice);
  if (isRequired || holdsOwnCalls) return read;
  if (!options.isStrict) return { ...read, ignored: [options.path] };
  throw unsupportedParameter(
    options.path,
    "This model's calls are only held to the parameters of a tool where tool_choice requires a call. Require one, or " +
      "leave out strict.",
  );
}

function toGrammar(schema: unknown, { path, isStrict, isObject, end }: GrammarOptions): Grammar {
  try {
    const { grammar, unheld } = createSchemaGrammar(schema, { isObject, end });
    const [first] = unheld;
    if (first && isStrict) {
      const keyword = first.path.at(-1) ?? "";
      throw unsupportedParameter(
        toParam(path, first.path),
        `Answers can't be held to ${JSON.stringify(keyword)} at ${toParam(path, first.path)}: ${first.reason}. Leave it ` +
          "out, or leave out strict.",
      );
    }
    return { grammar, ignored: unheld.map((keyword) => toParam(path, keyword.path)) };
  } catch (error) {
    if (error instanceof UnusableSchemaError) throw invalidRequest(error.message, toParam(path, error.path));
    throw error;
  }
}

/** Characters of a path in an error or a header. */
const MAX_PARAM_CHARACTERS = 200;

/** A path below a field of the request, with what headers can't have in percent encoding; the field alone if it is long. */
function toParam(field: string, path: readonly string[]): string {
  const param = [field, ...path.map(encodeName)].join(".");
  return param.length > MAX_PARAM_CHARACTERS ? field : param;
}

function encodeName(name: string): string {
  return Array.from(name.slice(0, MAX_PARAM_CHARACTERS), (character) =>
    /[\w$-]/.test(character)
      ? character
      : encodeURIComponent(character.isWellFormed() ? character : "?").replaceAll(".", "%2E"),
  ).join("");
}

/** What lets a tool have arguments. Without any of it, a call has none, whatever the model would add. */
const ARGUMENT_KEYWORDS = ["$ref", "allOf", "anyOf", "oneOf", "patternProperties", "minProperties", "const", "enum"];

function takesArguments(schema: unknown): boolean {
  if (!isRecord(schema)) return schema !== undefined && schema !== null && schema !== false;
  const { properties, required, additionalProperties } = schema;
  const isNamed = [properties, required].some((each) => each !== undefined && Object.keys(Object(each)).length > 0);
  return isNamed || Boolean(additionalProperties) || ARGUMENT_KEYWORDS.some((name) => schema[name] !== undefined);
}
