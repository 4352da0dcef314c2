import type { Body } from "@feather/sdk";
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseAllDocuments,
  type YAMLMap,
} from "yaml";
import { UsageError } from "../../errors.ts";
import { findNearest } from "../../suggest.ts";
import { MANIFEST_SCHEMA } from "./schema.generated.ts";

/** A deployment as a manifest describes it: the body of the call that creates it. */
export type Manifest = Body<"deployments.create">;

/** The parts of JSON Schema that the contract uses for manifests. */
type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
};
type SourceLocation = { readonly file: string; readonly lines: LineCounter; readonly document?: Document };

const ROOT_SCHEMA: JsonSchema = MANIFEST_SCHEMA;

/**
 * Parses and validates the manifests of a YAML or JSON file, one per document. `fileOf` has the file of each name that was
 * read before. Throws `UsageError` with line and column.
 */
export function readManifests(text: string, file: string, fileOf: ReadonlyMap<string, string>): readonly Manifest[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  const location = { file, lines };
  const found: Manifest[] = [];
  for (const document of Array.isArray(documents) ? documents : []) {
    const [error] = document.errors;
    if (error !== undefined)
      throw createManifestError(location, error.pos[0], error.message.split(" at line")[0] ?? "not YAML");
    // Documents between two `---`, or after the last one, may be empty.
    if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) continue;
    validateNode(document.contents, ROOT_SCHEMA, "", { ...location, document });
    const manifest = document.toJS() as Manifest;
    if (found.some(({ name }) => name === manifest.name))
      throw createManifestError(location, offsetOf(document.contents), `${manifest.name} is described twice`);
    const other = fileOf.get(manifest.name);
    if (other !== undefined)
      throw createManifestError(
        location,
        offsetOf(document.contents),
        `${manifest.name} is described in ${other} already`,
      );
    found.push(manifest);
  }
  if (found.length === 0) throw new UsageError(`${file} describes no deployment`, "feather deployments schema");
  return found;
}

function validateNode(given: Node, schema: JsonSchema, path: string, location: SourceLocation): void {
  const node = isAlias(given) && location.document !== undefined ? (given.resolve(location.document) ?? given) : given;
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const value: unknown = isCollection(node) ? node.toJSON() : isScalar(node) ? node.value : undefined;
  const name = path === "" ? "a deployment" : path;
  const error = (message: string) => createManifestError(location, offsetOf(node), `${name} ${message}`);
  if (types.length > 0 && !types.some((type) => hasType(type, value))) throw error(`must be ${formatTypes(types)}`);
  if (schema.enum !== undefined && !schema.enum.includes(value)) throw error(`must be ${schema.enum.join(" or ")}`);
  const limitError = findLimitError(value, schema);
  if (limitError !== undefined) throw error(limitError);
  if (isMap(node)) validateFields(node, schema, path, location);
}

function validateFields(node: YAMLMap, schema: JsonSchema, path: string, location: SourceLocation): void {
  const known = schema.properties ?? {};
  const presentFields: string[] = [];
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : String(key);
    const field = path === "" ? name : `${path}.${name}`;
    presentFields.push(name);
    const own = Object.hasOwn(known, name) ? known[name] : undefined;
    const other = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
    const fieldSchema = own ?? other;
    if (fieldSchema === undefined) {
      const [close] = findNearest(name, Object.keys(known));
      const hint = close === undefined ? `known are ${Object.keys(known).join(", ")}` : `did you mean ${close}?`;
      throw createManifestError(location, offsetOf(key as Node), `there is no field ${field}`, hint);
    }
    validateNode((value ?? key) as Node, value === null ? { type: "given" } : fieldSchema, field, location);
  }
  const missing = (schema.required ?? []).filter((name) => !presentFields.includes(name));
  if (missing.length > 0)
    throw createManifestError(
      location,
      offsetOf(node),
      `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`,
    );
}

function hasType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return type === typeof value;
}

function findLimitError(value: unknown, schema: JsonSchema): string | undefined {
  if (typeof value === "string") {
    if (schema.maxLength !== undefined && value.length > schema.maxLength)
      return `may have ${schema.maxLength} letters`;
    if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value))
      return `must be like ${schema.pattern}`;
  }
  if (typeof value === "number") {
    const { minimum, maximum, exclusiveMinimum: above } = schema;
    if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
    if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
    if (above !== undefined && value <= above) return `must be above ${above}`;
  }
  return undefined;
}

const TYPE_LABELS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "a group of fields",
  given: "given",
};
const formatTypes = (types: readonly string[]) => types.map((type) => TYPE_LABELS[type] ?? type).join(", or ");

const offsetOf = (node: Node): number => node.range?.[0] ?? 0;

function createManifestError(
  { file, lines }: SourceLocation,
  offset: number,
  message: string,
  hint: string | null = null,
): UsageError {
  const { line, col } = lines.linePos(offset);
  return new UsageError(`${file}:${line}:${col}: ${message}`, hint);
}
