import { type Compiler, reportUnheld, takeCount } from "./compiler.ts";
import { formatPattern } from "./formats.ts";
import { stringOfLength } from "./json-text.ts";
import type { ReadSchema } from "./keywords.ts";
import { type GrammarNode, NEVER, sequence, text } from "./nodes.ts";
import { patternRule } from "./pattern-rule.ts";
import type { LengthLimits } from "./patterns.ts";
import type { SchemaPath } from "./schema-document.ts";

const ANY_LENGTH: LengthLimits = { min: 0, max: Number.POSITIVE_INFINITY };

type Found<Value> = { value: Value; path: SchemaPath };

/** Returns a node for the strings that fit all schemas. */
export function stringGrammar(compiler: Compiler, schemas: readonly ReadSchema[]): GrammarNode {
  const minLengths = find(schemas, "minLength");
  const maxLengths = find(schemas, "maxLength");
  const length = {
    min: Math.max(0, ...minLengths.map(({ value }) => value)),
    max: Math.min(Number.POSITIVE_INFINITY, ...maxLengths.map(({ value }) => value)),
  };
  if (length.min > length.max) return NEVER;
  const reportLength = (reason: string) => {
    for (const { path } of minLengths) reportUnheld(compiler, path, "minLength", reason);
    for (const { path } of maxLengths) reportUnheld(compiler, path, "maxLength", reason);
  };
  for (const { pattern, keyword, path } of listPatterns(compiler, schemas)) {
    const within = toPatternNode(compiler, pattern, length, reportLength);
    if (typeof within === "string") reportUnheld(compiler, path, keyword, within);
    else {
      reportOthers(compiler, schemas, { pattern, keyword });
      return sequence(text('"'), within, text('"'));
    }
  }
  const counted = Number.isFinite(length.max) ? length.max : length.min;
  if (takeCount(compiler, counted)) return stringOfLength(length.min, length.max);
  reportLength("lengths of this schema are too large in sum");
  return stringOfLength(0, Number.POSITIVE_INFINITY);
}

function find<Name extends "minLength" | "maxLength" | "pattern" | "format">(
  schemas: readonly ReadSchema[],
  name: Name,
): Found<Exclude<ReadSchema["keywords"][Name], undefined>>[] {
  return schemas.flatMap(({ keywords, path }) => {
    const value = keywords[name];
    return value === undefined ? [] : [{ value, path }];
  }) as Found<Exclude<ReadSchema["keywords"][Name], undefined>>[];
}

type GivenPattern = { pattern: string; keyword: "pattern" | "format"; path: SchemaPath };

/** Patterns, then those of formats. Formats without a pattern are noted as not held. */
function listPatterns(compiler: Compiler, schemas: readonly ReadSchema[]): GivenPattern[] {
  const patterns = find(schemas, "pattern").map(({ value, path }) => ({
    pattern: value,
    keyword: "pattern" as const,
    path,
  }));
  const formats = find(schemas, "format").flatMap(({ value, path }) => {
    const pattern = formatPattern(value);
    if (pattern !== undefined) return [{ pattern, keyword: "format" as const, path }];
    reportUnheld(compiler, path, "format", "this format can't be held");
    return [];
  });
  return [...patterns, ...formats];
}

/** Returns a node within the length, or without if that can't be held; or why the pattern can't be held. */
function toPatternNode(
  compiler: Compiler,
  pattern: string,
  length: LengthLimits,
  reportLength: (reason: string) => void,
): GrammarNode | string {
  const limited = patternRule(compiler, pattern, length);
  if ("node" in limited) return limited.node;
  const free = patternRule(compiler, pattern, ANY_LENGTH);
  if ("reason" in free) return free.reason;
  reportLength(`beside this pattern: ${limited.reason}`);
  return free.node;
}

function reportOthers(
  compiler: Compiler,
  schemas: readonly ReadSchema[],
  held: { pattern: string; keyword: "pattern" | "format" },
): void {
  for (const keyword of ["pattern", "format"] as const) {
    for (const { value, path } of find(schemas, keyword)) {
      const isHeld =
        keyword === held.keyword && (keyword === "pattern" ? value : formatPattern(value)) === held.pattern;
      if (!isHeld) reportUnheld(compiler, path, keyword, "only one pattern or format of a string can be held");
    }
  }
}
