import { type Applied, type Compiler, countPart, defineRule, reportUnheld, takeCount, toRule } from "./compiler.ts";
import { ANY_OBJECT, COLON, COMMA, literal, nameExcept, SPACE } from "./json-text.ts";
import type { ReadSchema } from "./keywords.ts";
import { choice, EMPTY, type GrammarNode, NEVER, repeat, sequence, text } from "./nodes.ts";
import { patternRule } from "./pattern-rule.ts";
import { type Place, toNamedPlaces, toPlace, toPointer } from "./schema-document.ts";
import { UnusableSchemaError } from "./unusable-schema-error.ts";

/** A named property. */
type Property = { name: string; value: GrammarNode; isRequired: boolean };

/** What an object consists of. */
type Members = {
  properties: readonly Property[];
  /** A property with another name; null if there are none. */
  other: GrammarNode | null;
  min: number;
  max: number;
};

/** To count properties takes a rule for each count at each of them. */
const MAX_COUNTED_STATES = 2_000;

/** With more optional properties, too many names could come next. */
const MAX_OPTIONAL_PROPERTIES = 256;

/** Returns a node for the objects that fit all schemas. */
export function objectGrammar(compiler: Compiler, applied: Applied): GrammarNode {
  const named = applied.schemas.map(({ keywords, path }) =>
    toNamedPlaces(keywords.properties, [...path, "properties"]),
  );
  const additional = applied.schemas.map((schema) => toAdditional(compiler, applied, schema));
  const required = new Set(applied.schemas.flatMap(({ keywords }) => keywords.required ?? []));
  const names = new Set([...named.flatMap((each) => [...each.keys()]), ...required]);
  const placesOf = (name: string) => named.flatMap((each, index) => each.get(name) ?? additional[index] ?? []);
  const properties = [...names].map((name) => {
    countPart(compiler, name.length);
    return { name, value: toRule(compiler, placesOf(name)), isRequired: required.has(name) };
  });
  if (properties.filter(({ isRequired }) => !isRequired).length > MAX_OPTIONAL_PROPERTIES) {
    const path = applied.places[0]?.path ?? [];
    throw new UnusableSchemaError(
      `The object at ${toPointer(path)} has more than ${MAX_OPTIONAL_PROPERTIES} optional properties.`,
      path,
    );
  }
  const otherPlaces = additional.flatMap((place) => place ?? []);
  const minima = applied.schemas.flatMap(({ keywords: { minProperties } }) => minProperties ?? []);
  const isShort = Math.max(0, ...minima) > names.size;
  const isOpen = names.size === 0 || isShort || otherPlaces.some(({ schema }) => schema !== false);
  const isClosed = !isOpen || otherPlaces.some(({ schema }) => schema === false);
  const name = otherName(compiler, applied, [...names]);
  const other = name.mustMatch ?? (isClosed ? null : { name: name.node, places: [] });
  const member =
    other && sequence(other.name, COLON, toRule(compiler, [...other.places, ...(name.mustMatch ? [] : otherPlaces)]));
  const counts = readCounts(compiler, applied.schemas, properties, member !== null);
  const isFree = properties.length === 0 && !name.isLimited && otherPlaces.length === 0;
  if (isFree && counts.min === 0 && counts.max === Infinity) return ANY_OBJECT;
  if (counts.min > counts.max) return NEVER;
  return sequence(text("{"), SPACE, members(compiler, { properties, other: member, ...counts }), SPACE, text("}"));
}

/** The schema of properties without a name; null if they may be anything. */
function toAdditional(compiler: Compiler, applied: Applied, { keywords, path }: ReadSchema): Place | null {
  const { additionalProperties, unevaluatedProperties } = keywords;
  if (additionalProperties !== undefined) return toPlace(additionalProperties, [...path, "additionalProperties"]);
  if (unevaluatedProperties === undefined) return null;
  const isKnown = applied.entry === toPointer(path) && applied.schemas.length === 1;
  if (isKnown) return toPlace(unevaluatedProperties, [...path, "unevaluatedProperties"]);
  // Nothing but named properties is written then, and each of them is evaluated by the schema that names it.
  const hasEntry = applied.entry === toPointer(path) && unevaluatedProperties === false;
  const isElsewhereOpen = applied.schemas.some(
    ({ keywords: { additionalProperties: other, minProperties, required = [] } }) =>
      other !== undefined || minProperties !== undefined || required.some((name) => !isNamed(applied, name)),
  );
  const isEmpty = applied.schemas.every(({ keywords: { properties } }) => properties === undefined);
  if (!hasEntry || isElsewhereOpen || isEmpty) {
    reportUnheld(compiler, path, "unevaluatedProperties", "it depends on other schemas of the same object");
  }
  return null;
}

function isNamed({ schemas }: Applied, name: string): boolean {
  return schemas.some(({ keywords: { properties } }) => properties && Object.hasOwn(properties, name));
}

type OtherName = {
  node: GrammarNode;
  isLimited: boolean;
  /** Set if only names that match are written, with the schemas of their values. */
  mustMatch: { name: GrammarNode; places: readonly Place[] } | null;
};

/** The names of properties that have none of their own, by `propertyNames` and `patternProperties`. */
function otherName(compiler: Compiler, applied: Applied, names: readonly string[]): OtherName {
  const free: OtherName = { node: nameExcept(names), isLimited: false, mustMatch: null };
  const { schemas } = applied;
  const limiting = schemas.filter(
    ({ keywords }) => keywords.propertyNames !== undefined && keywords.propertyNames !== true,
  );
  const matching = schemas.flatMap(({ keywords, path }) =>
    [...toNamedPlaces(keywords.patternProperties, [...path, "patternProperties"])].map(([pattern, place]) => ({
      pattern,
      place,
      path,
    })),
  );
  const [first] = matching;
  const [limit] = limiting;
  if (!first && !limit) return free;
  const isOnly = names.length === 0 && matching.length + limiting.length === 1;
  if (isOnly && limit) return { ...free, isLimited: true, node: toName(compiler, limit) };
  const held = isOnly && first ? patternRule(compiler, first.pattern, { min: 0, max: Infinity }) : null;
  if (held && "node" in held && first) {
    const name = sequence(text('"'), held.node, text('"'));
    return { ...free, isLimited: true, mustMatch: { name, places: [first.place] } };
  }
  for (const { path, keywords } of limiting) {
    if (keywords.propertyNames !== undefined)
      reportUnheld(compiler, path, "propertyNames", "it is only held without named properties");
  }
  for (const { path, place } of matching) {
    const isFree = place.schema !== false && Object.keys(place.schema).length === 0;
    const reason = held && "reason" in held ? held.reason : "only one pattern without named properties can be held";
    if (!isFree) reportUnheld(compiler, path, "patternProperties", reason);
  }
  return free;
}

/** The schema of names, whose values are strings. */
function toName(compiler: Compiler, { keywords, path }: ReadSchema): GrammarNode {
  const isString: Place = { schema: { type: "string" }, path: [...path, "propertyNames", "type", "string"] };
  return toRule(compiler, [toPlace(keywords.propertyNames, [...path, "propertyNames"]), isString]);
}

function readCounts(
  compiler: Compiler,
  schemas: readonly ReadSchema[],
  properties: readonly Property[],
  hasOthers: boolean,
): { min: number; max: number } {
  const least = properties.filter(({ isRequired }) => isRequired).length;
  const minima = schemas.flatMap(({ keywords: { minProperties } }) => minProperties ?? []);
  const maxima = schemas.flatMap(({ keywords: { maxProperties } }) => maxProperties ?? []);
  // A minimum that the required properties reach by themselves needs no counting.
  const min = Math.max(0, ...minima) <= least ? 0 : Math.max(...minima);
  const max = Math.min(Infinity, ...maxima);
  const report = (name: "minProperties" | "maxProperties", reason: string) => {
    for (const { keywords, path } of schemas)
      if (keywords[name] !== undefined) reportUnheld(compiler, path, name, reason);
  };
  const isMinUncertain = hasOthers && min > properties.length + 1;
  if (isMinUncertain) report("minProperties", "other properties than named ones may repeat a name");
  const heldMin = isMinUncertain ? 0 : min;
  const isCounted = heldMin > 0 || max < Infinity;
  const states = properties.length * (Math.min(max, properties.length) + 1);
  const isTooMuch =
    isCounted &&
    (states > MAX_COUNTED_STATES || !takeCount(compiler, Number.isFinite(max) && hasOthers ? max : heldMin));
  if (!isTooMuch) return { min: heldMin, max };
  report("minProperties", "there are too many properties to count");
  report("maxProperties", "there are too many properties to count");
  return { min: 0, max: Infinity };
}

/** Named properties in their order, optional ones or not, and then others. Each rule says what may follow a given number of them. */
function members(compiler: Compiler, { properties, other, min, max }: Members): GrammarNode {
  const id = `o${compiler.rules.size}`;
  const isCounted = min > 0 || max < Infinity;
  const others = (count: number): GrammarNode => {
    if (other === null) return count >= min ? EMPTY : NEVER;
    const least = Math.max(0, min - count);
    // Of two others, one may have the name of the other, and they would count once.
    if (least > 1) return NEVER;
    if (count > 0) return repeat(sequence(COMMA, other), least, max - count);
    const some = max === 0 ? NEVER : sequence(other, repeat(sequence(COMMA, other), 0, max - 1));
    return choice(least === 0 ? [some, EMPTY] : [some]);
  };
  // Written from the end, so that many properties are no deep recursion.
  const next = new Map<number, GrammarNode>();
  const counts = Array.from(
    { length: (isCounted ? Math.min(properties.length, max) : Math.min(1, properties.length)) + 1 },
    (_, count) => count,
  );
  for (const count of counts) next.set(count, others(count));
  for (const [index, { name, value, isRequired }] of [...properties.entries()].reverse()) {
    const behind = new Map(next);
    for (const count of counts.filter((each) => each <= index)) {
      const more = isCounted ? count + 1 : 1;
      const written =
        more > max
          ? NEVER
          : sequence(...(count > 0 ? [COMMA] : []), literal(name), COLON, value, behind.get(more) ?? NEVER);
      const node = isRequired ? written : choice([written, behind.get(count) ?? NEVER]);
      next.set(
        count,
        defineRule(compiler, `${id}-${index}-${count}`, () => node),
      );
    }
  }
  return next.get(0) ?? NEVER;
}
