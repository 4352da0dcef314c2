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
import type { FileFault } from "../../../errors.ts";
import { sanitizeLine } from "../../../output/sanitize.ts";
import { findNearest } from "../../../suggest.ts";
import type { Manifest } from "../place.ts";
import { MANIFEST_SCHEMA } from "../schema.generated.ts";

/**
 * The parts of JSON Schema that the contract uses for manifests. They are checked here, because each fault needs the place of
 * its node in the file and a sentence for people: a validator such as Ajv would add 2.5 MB, and its errors would have to be
 * brought into that form by as much code.
 */
type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  /** Says in words what texts the pattern allows. */
  readonly "x-pattern-message"?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
};
/** The manifests of a file, and its faults. */
export type ManifestFile = { readonly manifests: readonly Manifest[]; readonly faults: readonly FileFault[] };
/** A fault at an offset of a file. */
type Fault = { readonly offset: number; readonly message: string };

const ROOT_SCHEMA: JsonSchema = MANIFEST_SCHEMA;

/**
 * Parses and validates the manifests of a YAML or JSON file, one per document. `fileOf` has the file of each name that was
 * read before.
 */
export function readManifests(text: string, file: string, fileOf: ReadonlyMap<string, string>): ManifestFile {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  const found: Manifest[] = [];
  const faults: Fault[] = [];
  let isEmpty = true;
  for (const document of Array.isArray(documents) ? documents : []) {
    // Documents between two `---`, or after the last one, may be empty.
    if (document.errors.length === 0 && isEmptyDocument(document)) continue;
    isEmpty = false;
    const documentFaults = validateDocument(document);
    faults.push(...documentFaults);
    if (documentFaults.length > 0 || document.contents === null) continue;
    const manifest = document.toJS() as Manifest;
    const other = found.some(({ name }) => name === manifest.name) ? file : fileOf.get(manifest.name);
    if (other !== undefined) faults.push(createDuplicateFault(document.contents, manifest.name, file, other));
    else found.push(manifest);
  }
  if (isEmpty) return { manifests: found, faults: [{ file, message: "describes no deployment" }] };
  return {
    manifests: found,
    faults: faults.map(({ offset, message }) => {
      const { line, col } = lines.linePos(offset);
      return { file, place: { line, column: col }, message: sanitizeLine(message) };
    }),
  };
}

const isEmptyDocument = ({ contents }: Document): boolean =>
  contents === null || (isScalar(contents) && contents.value === null);

function createDuplicateFault(node: Node, name: string, file: string, other: string): Fault {
  const place = other === file ? "twice" : `in ${other} already`;
  return { offset: offsetOf(node), message: `${name} is described ${place}` };
}

/** Returns all faults of a document, in the order of the file. */
function validateDocument(document: Document): readonly Fault[] {
  if (document.errors.length > 0)
    return document.errors.map(({ pos, message }) => ({
      offset: pos[0],
      message: message.split(" at line")[0] ?? "not YAML",
    }));
  if (document.contents === null) return [];
  return validateNode(document.contents, ROOT_SCHEMA, "", document).toSorted((one, other) => one.offset - other.offset);
}

function validateNode(given: Node, schema: JsonSchema, path: string, document: Document): readonly Fault[] {
  const node = isAlias(given) ? (given.resolve(document) ?? given) : given;
  const value: unknown = isCollection(node) ? node.toJSON() : isScalar(node) ? node.value : undefined;
  const message = findValueFault(value, schema);
  if (message !== undefined)
    return [{ offset: offsetOf(node), message: `${path === "" ? "a deployment" : path} ${message}` }];
  return isMap(node) ? validateFields(node, schema, path, document) : [];
}

/** Returns the fault of a value: a wrong type, choice or limit; undefined if there is none. */
function findValueFault(value: unknown, schema: JsonSchema): string | undefined {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => hasType(type, value))) return `must be ${formatTypes(types)}`;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `must be ${schema.enum.join(" or ")}`;
  return findLimitError(value, schema);
}

function validateFields(node: YAMLMap, schema: JsonSchema, path: string, document: Document): readonly Fault[] {
  const presentFields = node.items.map(({ key }) => nameOf(key));
  // A field that is mistyped is not missing as well.
  const meantFields = presentFields.flatMap((name) => findMeantField(name, schema) ?? []);
  const missing = (schema.required ?? [])
    .filter((name) => !presentFields.includes(name) && !meantFields.includes(name))
    .map((name) => toField(path, name));
  const verb = missing.length === 1 ? "is" : "are";
  const missingFault = { offset: offsetOf(node), message: `${missing.join(", ")} ${verb} missing` };
  return [
    ...(missing.length > 0 ? [missingFault] : []),
    ...node.items.flatMap(({ key, value }) => validateField(key as Node, value as Node | null, schema, path, document)),
  ];
}

function validateField(
  key: Node,
  value: Node | null,
  schema: JsonSchema,
  path: string,
  document: Document,
): readonly Fault[] {
  const known = schema.properties ?? {};
  const name = nameOf(key);
  const field = toField(path, name);
  const own = Object.hasOwn(known, name) ? known[name] : undefined;
  const other = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
  const fieldSchema = own ?? other;
  if (fieldSchema !== undefined)
    return validateNode(value ?? key, value === null ? { type: "given" } : fieldSchema, field, document);
  const close = findMeantField(name, schema);
  const hint = close === undefined ? `known are ${Object.keys(known).join(", ")}` : `did you mean ${close}?`;
  return [{ offset: offsetOf(key), message: `there is no field ${field} (${hint})` }];
}

/** Returns the known field that an unknown one is closest to; undefined when none is close. */
function findMeantField(name: string, { properties = {} }: JsonSchema): string | undefined {
  return Object.hasOwn(properties, name) ? undefined : findNearest(name, Object.keys(properties))[0];
}

const toField = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

const nameOf = (key: unknown): string => (isScalar(key) ? String(key.value) : String(key));

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
      return schema["x-pattern-message"] ?? `must be like ${schema.pattern}`;
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
