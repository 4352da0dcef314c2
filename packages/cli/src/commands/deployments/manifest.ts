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
import { nearest } from "../../suggest.ts";
import { MANIFEST_SCHEMA } from "./schema.generated.ts";

/** A deployment as a manifest describes it: the body of the call that creates it. */
export type Manifest = Body<"deployments.create">;

/** The parts of JSON Schema that the contract uses for manifests. */
type Rule = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Rule>>;
  readonly additionalProperties?: boolean | Rule;
};
type Place = { readonly file: string; readonly lines: LineCounter; readonly document?: Document };

const RULE: Rule = MANIFEST_SCHEMA;

/**
 * Parses and validates the manifests of a YAML or JSON file, one per document. `fileOf` has the file of each name that was
 * read before. Throws `UsageError` with line and column.
 */
export function readManifests(text: string, file: string, fileOf: ReadonlyMap<string, string>): readonly Manifest[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  const place = { file, lines };
  const found: Manifest[] = [];
  for (const document of Array.isArray(documents) ? documents : []) {
    const [fault] = document.errors;
    if (fault !== undefined) throw faultAt(place, fault.pos[0], fault.message.split(" at line")[0] ?? "not YAML");
    // Documents between two `---`, or after the last one, may be empty.
    if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) continue;
    check(document.contents, RULE, "", { ...place, document });
    const manifest = document.toJS() as Manifest;
    if (found.some(({ name }) => name === manifest.name))
      throw faultAt(place, startOf(document.contents), `${manifest.name} is described twice`);
    const other = fileOf.get(manifest.name);
    if (other !== undefined)
      throw faultAt(place, startOf(document.contents), `${manifest.name} is described in ${other} already`);
    found.push(manifest);
  }
  if (found.length === 0) throw new UsageError(`${file} describes no deployment`, "feather deployments schema");
  return found;
}

function check(given: Node, rule: Rule, path: string, place: Place): void {
  const node = isAlias(given) && place.document !== undefined ? (given.resolve(place.document) ?? given) : given;
  const types = rule.type === undefined ? [] : [rule.type].flat();
  const value: unknown = isCollection(node) ? node.toJSON() : isScalar(node) ? node.value : undefined;
  const name = path === "" ? "a deployment" : path;
  const fault = (message: string) => faultAt(place, startOf(node), `${name} ${message}`);
  if (types.length > 0 && !types.some((type) => isOf(type, value))) throw fault(`must be ${typesText(types)}`);
  if (rule.enum !== undefined && !rule.enum.includes(value)) throw fault(`must be ${rule.enum.join(" or ")}`);
  const wrong = outside(value, rule);
  if (wrong !== undefined) throw fault(wrong);
  if (isMap(node)) checkFields(node, rule, path, place);
}

function checkFields(node: YAMLMap, rule: Rule, path: string, place: Place): void {
  const known = rule.properties ?? {};
  const given: string[] = [];
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : String(key);
    const field = path === "" ? name : `${path}.${name}`;
    given.push(name);
    const own = Object.hasOwn(known, name) ? known[name] : undefined;
    const other = typeof rule.additionalProperties === "object" ? rule.additionalProperties : undefined;
    const applies = own ?? other;
    if (applies === undefined) {
      const [close] = nearest(name, Object.keys(known));
      const hint = close === undefined ? `known are ${Object.keys(known).join(", ")}` : `did you mean ${close}?`;
      throw faultAt(place, startOf(key as Node), `there is no field ${field}`, hint);
    }
    check((value ?? key) as Node, value === null ? { type: "given" } : applies, field, place);
  }
  const missing = (rule.required ?? []).filter((name) => !given.includes(name));
  if (missing.length > 0)
    throw faultAt(place, startOf(node), `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`);
}

function isOf(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return type === typeof value;
}

function outside(value: unknown, rule: Rule): string | undefined {
  if (typeof value === "string") {
    if (rule.maxLength !== undefined && value.length > rule.maxLength) return `may have ${rule.maxLength} letters`;
    if (rule.pattern !== undefined && !new RegExp(rule.pattern).test(value)) return `must be like ${rule.pattern}`;
  }
  if (typeof value === "number") {
    const { minimum, maximum, exclusiveMinimum: above } = rule;
    if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
    if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
    if (above !== undefined && value <= above) return `must be above ${above}`;
  }
  return undefined;
}

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "a group of fields",
  given: "given",
};
const typesText = (types: readonly string[]) => types.map((type) => WORDS[type] ?? type).join(", or ");

const startOf = (node: Node): number => node.range?.[0] ?? 0;

function faultAt({ file, lines }: Place, offset: number, message: string, hint: string | null = null): UsageError {
  const { line, col } = lines.linePos(offset);
  return new UsageError(`${file}:${line}:${col}: ${message}`, hint);
}
