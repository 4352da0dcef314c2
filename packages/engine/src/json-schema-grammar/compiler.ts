import { ANY_VALUE, SHARED_RULES } from "./json-text.ts";
import type { ReadSchema } from "./keywords.ts";
import { EMPTY, type GrammarNode, rule } from "./nodes.ts";
import type { StepBudget } from "./pattern-states.ts";
import type { PatternGrammar } from "./patterns.ts";
import { type Place, type SchemaPath, toPointer } from "./schema-document.ts";
import { UnusableSchemaError } from "./unusable-schema-error.ts";

/** What one schema may have; the time and the grammar grow with it. */
const MAX_PARTS = 2_000;
const MAX_CHARACTERS = 65_536;
/** The most repetitions that may be counted in one schema. */
const MAX_COUNTED = 20_000;

/** How long all patterns together are looked into: a fraction of a second. */
const MAX_PATTERN_STEPS = 1_000_000;

/** The state of a conversion. */
export type Compiler = {
  readonly root: unknown;
  readonly rules: Map<string, GrammarNode>;
  /** Names of rules by the places whose schemas apply at the same time. */
  readonly names: Map<string, string>;
  readonly queue: { name: string; places: readonly Place[] }[];
  readonly unheld: Map<string, { path: SchemaPath; reason: string }>;
  parts: number;
  characters: number;
  counted: number;
  readonly patternBudget: StepBudget;
  readonly patterns: Map<string, PatternGrammar>;
};

/** Creates the state of a conversion of a schema. */
export function createCompiler(root: unknown): Compiler {
  const rules = new Map(SHARED_RULES);
  return {
    root,
    rules,
    names: new Map(),
    queue: [],
    unheld: new Map(),
    parts: 0,
    characters: 0,
    counted: 0,
    patternBudget: { steps: MAX_PATTERN_STEPS },
    patterns: new Map(),
  };
}

/** Counts a subschema, a property or a value, and its text. Throws {@link UnusableSchemaError} when it is one too many. */
export function countPart(compiler: Compiler, characters = 0): void {
  compiler.parts += 1;
  compiler.characters += characters;
  if (compiler.parts > MAX_PARTS || compiler.characters > MAX_CHARACTERS) {
    throw new UnusableSchemaError(
      `The schema has more than ${MAX_PARTS} parts (subschemas, properties and values) or ${MAX_CHARACTERS} characters.`,
      [],
    );
  }
}

/** Counts the given number of repetitions. Returns false if that exceeds the limit of the schema. */
export function takeCount(compiler: Compiler, count: number): boolean {
  if (compiler.counted + count > MAX_COUNTED) return false;
  compiler.counted += count;
  return true;
}

/** Notes that the grammar does not hold a keyword. */
export function reportUnheld(compiler: Compiler, path: SchemaPath, keyword: string, reason: string): void {
  const full = [...path, keyword];
  compiler.unheld.set(toPointer(full), { path: full, reason });
}

/** Returns a reference to the rule for values that fit all of the places at the same time; it is compiled later. */
export function toRule(compiler: Compiler, places: readonly Place[]): GrammarNode {
  const relevant = places.filter(({ schema }) => schema === false || Object.keys(schema).length > 0);
  if (relevant.length === 0) return ANY_VALUE;
  const key = [...new Set(relevant.map(({ path }) => toPointer(path)))].sort().join(" ");
  const known = compiler.names.get(key);
  if (known !== undefined) return rule(known);
  const name = `r${compiler.names.size}`;
  compiler.names.set(key, name);
  compiler.queue.push({ name, places: relevant });
  return rule(name);
}

/** Returns a reference to a rule, which is built when its name is new; it may refer to itself. */
export function defineRule(compiler: Compiler, name: string, build: () => GrammarNode): GrammarNode {
  if (!compiler.rules.has(name)) {
    compiler.rules.set(name, EMPTY);
    compiler.rules.set(name, build());
  }
  return rule(name);
}

/** All schemas that apply to a value, after references and `allOf`, and the choices between others. */
export type Applied = {
  /** The place that all others were reached from; null if there were several. */
  entry: string | null;
  places: Place[];
  schemas: ReadSchema[];
  choices: Choice[];
  seen: Set<string>;
  isNever: boolean;
};

/** A choice between schemas, one of which has to fit as well. */
export type Choice = { keyword: "anyOf" | "oneOf"; path: SchemaPath; branches: Place[]; trail: ReadonlySet<string> };
