import { arrayGrammar } from "./arrays.ts";
import { type Applied, type Compiler, countPart, defineRule, reportUnheld } from "./compiler.ts";
import { areDisjoint } from "./disjoint.ts";
import { listEnumerated } from "./enumerations.ts";
import { ANY_VALUE, literals } from "./json-text.ts";
import {
  impliedTypes,
  type JsonType,
  type Keywords,
  listUnheldKeywords,
  type ReadSchema,
  readKeywords,
  TYPES,
} from "./keywords.ts";
import { choice, type GrammarNode, NEVER, text } from "./nodes.ts";
import { integerGrammar, NUMBER_KEYWORDS, type NumberLimits, numberGrammar } from "./numbers.ts";
import { objectGrammar } from "./objects.ts";
import { type Place, resolveReference, type SchemaPath, toListedPlaces, toPointer } from "./schema-document.ts";
import { stringGrammar } from "./strings.ts";
import { UnusableSchemaError } from "./unusable-schema-error.ts";

/** More alternatives would be tried at the same time for each token. */
const MAX_ALTERNATIVES = 256;
/** Whether more alternatives exclude each other is not looked into. */
const MAX_COMPARED_ALTERNATIVES = 64;

/**
 * Compiles each schema that was requested with {@link toRule}, and the schemas that these refer to, until the queue is
 * empty.
 */
export function compileQueued(compiler: Compiler): void {
  for (let next = compiler.queue.pop(); next; next = compiler.queue.pop()) {
    const [first, ...others] = next.places;
    const applied = createApplied(first && others.length === 0 ? toPointer(first.path) : null);
    for (const place of next.places) apply(compiler, place, applied, new Set());
    compiler.rules.set(next.name, compileApplied(compiler, applied));
  }
}

function createApplied(entry: string | null): Applied {
  return { entry, places: [], schemas: [], choices: [], seen: new Set(), isNever: false };
}

/**
 * Adds a schema, and the schemas that apply to the same value because of it. `trail` has the pointers on the way to it,
 * so that a circle is found.
 */
function apply(compiler: Compiler, place: Place, applied: Applied, trail: ReadonlySet<string>): void {
  countPart(compiler);
  if (place.schema === false) {
    applied.isNever = true;
    return;
  }
  const pointer = toPointer(place.path);
  if (trail.has(pointer)) {
    throw new UnusableSchemaError(`The schema at ${pointer} refers to itself without anything between.`, place.path);
  }
  if (applied.seen.has(pointer)) return;
  applied.seen.add(pointer);
  const read = readKeywords(place);
  const { keywords, path } = read;
  applied.places.push(place);
  applied.schemas.push(read);
  const longer = new Set([...trail, pointer]);
  if (keywords.$ref !== undefined) {
    apply(compiler, resolveReference(compiler.root, keywords.$ref, [...path, "$ref"]), applied, longer);
  }
  for (const part of keywords.allOf ? toListedPlaces(keywords.allOf, [...path, "allOf"]) : []) {
    apply(compiler, part, applied, longer);
  }
  for (const keyword of ["anyOf", "oneOf"] as const) {
    if (!keywords[keyword]) continue;
    const branches = toListedPlaces(keywords[keyword], [...path, keyword]);
    applied.choices.push({ keyword, path, branches, trail: longer });
  }
}

function compileApplied(compiler: Compiler, applied: Applied): GrammarNode {
  if (applied.isNever) return NEVER;
  const [first, ...others] = applied.choices;
  if (!first) return compileSchemas(compiler, applied);
  if (first.branches.length > MAX_ALTERNATIVES) {
    throw new UnusableSchemaError(
      `The schema at ${toPointer(first.path)} has more than ${MAX_ALTERNATIVES} alternatives.`,
      [...first.path, first.keyword],
    );
  }
  if (first.keyword === "oneOf" && !excludeEachOther(compiler, first.branches)) {
    reportUnheld(
      compiler,
      first.path,
      "oneOf",
      "its alternatives may fit at the same time; anyOf is the same without that",
    );
  }
  return choice(
    first.branches.map((branch) => {
      const { entry, places, schemas, seen } = applied;
      const chosen = { ...createApplied(entry), places: [...places], schemas: [...schemas], seen: new Set(seen) };
      chosen.choices.push(...others);
      apply(compiler, branch, chosen, first.trail);
      return compileApplied(compiler, chosen);
    }),
  );
}

function excludeEachOther(compiler: Compiler, branches: readonly Place[]): boolean {
  if (branches.length > MAX_COMPARED_ALTERNATIVES) return false;
  return branches.every((branch, index) =>
    branches.slice(index + 1).every((other) => areDisjoint(compiler.root, branch, other)),
  );
}

function compileSchemas(compiler: Compiler, applied: Applied): GrammarNode {
  const types = listTypes(applied.schemas);
  for (const place of applied.places) {
    for (const keyword of listUnheldKeywords(place, types)) {
      reportUnheld(compiler, place.path, keyword, "no grammar holds it");
    }
  }
  const enumerated = listEnumerated(compiler, applied.schemas);
  if (enumerated !== null) return literals(enumerated);
  const isFree = applied.schemas.every(
    (schema) => schema.keywords.type === undefined && impliedTypes(schema).length === 0,
  );
  return isFree ? ANY_VALUE : choice(types.map((type) => compileType(compiler, type, applied)));
}

/** Returns the types that all schemas allow; those that the keywords are about, if none names a type. */
function listTypes(schemas: readonly ReadSchema[]): JsonType[] {
  const given = schemas.filter(({ keywords }) => keywords.type !== undefined);
  const implied = schemas.flatMap(impliedTypes);
  const fallback = implied.length > 0 ? implied : TYPES;
  const allowed =
    given.length === 0
      ? [...new Set(fallback)]
      : TYPES.filter((type) => given.every((each) => allows(each.keywords, type)));
  return allowed.includes("number") ? allowed.filter((type) => type !== "integer") : allowed;
}

function allows({ type }: Keywords, candidate: JsonType): boolean {
  const types = typeof type === "string" ? [type] : (type ?? []);
  return types.includes(candidate) || (candidate === "integer" && types.includes("number"));
}

function compileType(compiler: Compiler, type: JsonType, applied: Applied): GrammarNode {
  switch (type) {
    case "object":
      return objectGrammar(compiler, applied);
    case "array":
      return arrayGrammar(compiler, applied);
    case "string":
      return stringGrammar(compiler, applied.schemas);
    case "boolean":
      return choice([text("true"), text("false")]);
    case "null":
      return text("null");
    default:
      return compileNumber(compiler, type, applied.schemas);
  }
}

function compileNumber(compiler: Compiler, type: "number" | "integer", schemas: readonly ReadSchema[]): GrammarNode {
  const owners = new Map<string, SchemaPath>();
  const limits: NumberLimits = {
    minimum: undefined,
    exclusiveMinimum: undefined,
    maximum: undefined,
    exclusiveMaximum: undefined,
    multipleOf: undefined,
  };
  for (const { keywords, path } of schemas) {
    for (const name of NUMBER_KEYWORDS) {
      const value = keywords[name];
      if (value === undefined) continue;
      const known = limits[name];
      if (name === "multipleOf" && known !== undefined && known !== value) {
        reportUnheld(compiler, path, name, "only one of several can be held");
        continue;
      }
      const isTighter = known === undefined || (name.toLowerCase().includes("min") ? value > known : value < known);
      if (!isTighter) continue;
      limits[name] = value;
      owners.set(name, path);
    }
  }
  const define = (name: string, build: () => GrammarNode) => defineRule(compiler, name, build);
  const { node, unheld } = type === "integer" ? integerGrammar(limits, define) : numberGrammar(limits, define);
  for (const [name, reason] of unheld) reportUnheld(compiler, owners.get(name) ?? [], name, reason);
  return node;
}
