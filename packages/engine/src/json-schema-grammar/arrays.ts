import { type Applied, type Compiler, countPart, defineRule, reportUnheld, takeCount, toRule } from "./compiler.ts";
import { listEnumerated, toKey } from "./enumerations.ts";
import { ANY_ARRAY, COMMA, literal, SPACE } from "./json-text.ts";
import { type ReadSchema, readKeywords } from "./keywords.ts";
import { choice, EMPTY, type GrammarNode, NEVER, repeat, sequence, text } from "./nodes.ts";
import { type Place, toListedPlaces, toPlace, toPointer } from "./schema-document.ts";

/** Lists of values that all differ need a rule for each set of values that are left. */
const MAX_UNIQUE_VALUES = 6;

/** Items of an array: those with a place of their own, and all others. */
type Items = { prefix: GrammarNode[]; rest: GrammarNode; restPlaces: readonly Place[]; min: number; max: number };

/** Returns a node for the arrays that fit all schemas. */
export function arrayGrammar(compiler: Compiler, applied: Applied): GrammarNode {
  const { schemas } = applied;
  const items = readItems(compiler, applied);
  if (items.min > items.max) return NEVER;
  const unique = schemas.filter(({ keywords }) => keywords.uniqueItems === true);
  if (unique.length > 0 && items.max > 1) {
    const values = items.prefix.length === 0 ? listValues(compiler, items.restPlaces) : null;
    if (values !== null && values.length <= MAX_UNIQUE_VALUES) return uniqueList(compiler, values, items);
    for (const { path } of unique) {
      reportUnheld(
        compiler,
        path,
        "uniqueItems",
        `only lists out of up to ${MAX_UNIQUE_VALUES} listed values can be held`,
      );
    }
  }
  const isFree =
    items.prefix.length === 0 && items.restPlaces.length === 0 && items.min === 0 && items.max === Infinity;
  return isFree ? ANY_ARRAY : list(items);
}

function readItems(compiler: Compiler, applied: Applied): Items {
  const { schemas } = applied;
  const prefixes = schemas.map(({ keywords, path }) =>
    keywords.prefixItems ? toListedPlaces(keywords.prefixItems, [...path, "prefixItems"]) : [],
  );
  const rests = schemas.map((schema) => toRest(compiler, applied, schema));
  const length = Math.max(0, ...prefixes.map((prefix) => prefix.length));
  const prefix = Array.from({ length }, (_, at) => {
    const places = prefixes.flatMap((each, index) => each[at] ?? rests[index] ?? []);
    for (const _place of places) countPart(compiler);
    return toRule(compiler, places);
  });
  const restPlaces = rests.flatMap((rest) => rest ?? []);
  const { min, max } = readCounts(compiler, schemas, length);
  return { prefix, rest: toRule(compiler, restPlaces), restPlaces, min, max };
}

/** The schema of items behind the first ones; null for any. */
function toRest(compiler: Compiler, applied: Applied, { keywords, path }: ReadSchema): Place | null {
  if (keywords.items !== undefined) return toPlace(keywords.items, [...path, "items"]);
  if (keywords.unevaluatedItems === undefined) return null;
  const isAlone =
    applied.entry === toPointer(path) && applied.schemas.every(({ keywords: { items } }) => items === undefined);
  if (isAlone) return toPlace(keywords.unevaluatedItems, [...path, "unevaluatedItems"]);
  reportUnheld(compiler, path, "unevaluatedItems", "it depends on other schemas of the same items");
  return null;
}

/** Counts of items. An array has all items with a place of their own, unless that is forbidden. */
function readCounts(compiler: Compiler, schemas: readonly ReadSchema[], prefix: number): { min: number; max: number } {
  const minima = schemas.flatMap(({ keywords: { minItems } }) => minItems ?? []);
  const maxima = schemas.flatMap(({ keywords: { maxItems } }) => maxItems ?? []);
  const max = Math.min(Infinity, ...maxima);
  const min = Math.max(minima.length > 0 ? 0 : Math.min(prefix, max), ...minima);
  if (min > max || takeCount(compiler, Number.isFinite(max) ? max : min)) return { min, max };
  for (const { keywords, path } of schemas) {
    for (const name of ["minItems", "maxItems"] as const) {
      if (keywords[name] !== undefined)
        reportUnheld(compiler, path, name, "counts of this schema are too large in sum");
    }
  }
  return { min: 0, max: Infinity };
}

function list({ prefix, rest, min, max }: Items): GrammarNode {
  const last = Math.min(prefix.length, max);
  let tail = last < prefix.length ? EMPTY : restOf(rest, Math.max(0, min - last), max - last, last > 0);
  for (let at = last - 1; at >= 0; at--) {
    const item = sequence(...(at > 0 ? [COMMA] : []), prefix[at] ?? NEVER, tail);
    tail = at >= min ? choice([item, EMPTY]) : item;
  }
  return sequence(text("["), SPACE, tail, SPACE, text("]"));
}

function restOf(item: GrammarNode, min: number, max: number, isBehindOthers: boolean): GrammarNode {
  if (isBehindOthers) return repeat(sequence(COMMA, item), min, max);
  if (max === 0) return EMPTY;
  const items = sequence(item, repeat(sequence(COMMA, item), Math.max(0, min - 1), max - 1));
  return min === 0 ? choice([items, EMPTY]) : items;
}

/** Returns the values that items are listed with; null if they are not listed. */
function listValues(compiler: Compiler, places: readonly Place[]): readonly unknown[] | null {
  if (places.some(({ schema }) => schema === false)) return null;
  const schemas = places.map(readKeywords);
  const isPlain = schemas.every(({ keywords: { $ref, allOf, anyOf, oneOf } }) => !($ref ?? allOf ?? anyOf ?? oneOf));
  if (!isPlain || schemas.length === 0) return null;
  const isBoolean = schemas.length === 1 && schemas[0]?.keywords.type === "boolean";
  const values = listEnumerated(compiler, schemas) ?? (isBoolean ? [true, false] : null);
  return values && [...new Map(values.map((value) => [toKey(value), value])).values()];
}

/** Each item takes its value from those that are left. */
function uniqueList(compiler: Compiler, values: readonly unknown[], { min, max }: Items): GrammarNode {
  const all = (1 << values.length) - 1;
  const id = `u${compiler.rules.size}`;
  const rest = (left: number): GrammarNode =>
    defineRule(compiler, `${id}-${left}`, () => {
      const taken = values.filter((_, index) => (left & (1 << index)) === 0).length;
      const next = values.flatMap((value, index) => {
        const bit = 1 << index;
        if ((left & bit) === 0 || taken >= max) return [];
        return [sequence(...(taken > 0 ? [COMMA] : []), literal(value), rest(left & ~bit))];
      });
      return choice([...next, ...(taken >= min ? [EMPTY] : [])]);
    });
  return sequence(text("["), SPACE, rest(all), SPACE, text("]"));
}
