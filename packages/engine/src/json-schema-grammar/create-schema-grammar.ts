import { compileQueued } from "./compile-queued.ts";
import { createCompiler, toRule } from "./compiler.ts";
import { type GrammarNode, sequence, text } from "./nodes.ts";
import { printGrammar, type Rules } from "./print-grammar.ts";
import { type Place, type SchemaPath, toPlace } from "./schema-document.ts";
import { UnusableSchemaError } from "./unusable-schema-error.ts";

/** A grammar in llama.cpp's format, and the keywords of the schema that it does not hold. */
export type SchemaGrammar = { grammar: string; unheld: readonly UnheldKeyword[] };

/** A keyword that a grammar does not hold. The path ends with it. */
export type UnheldKeyword = { path: SchemaPath; reason: string };

const OBJECT: Place = { schema: { type: "object" }, path: ["object"] };
/** Brackets within brackets of a schema. */
const MAX_DEPTH = 128;
/** A larger grammar would take llama.cpp too long to read. */
const MAX_GRAMMAR_CHARACTERS = 1_000_000;

/**
 * Returns a grammar for the JSON that fits a schema (draft 2020-12), or the objects
 * among it, followed by `end`. It may be narrower than the schema:
 * objects that name properties get no others unless the schema mentions them, in the order in which it names them, and
 * strings of a format have its usual form. Throws {@link UnusableSchemaError} for a schema that is not valid, that
 * nothing of finite length fits, or that is too large.
 */
export function createSchemaGrammar(
  schema: unknown,
  { isObject = false, end = "" }: { isObject?: boolean; end?: string } = {},
): SchemaGrammar {
  const { rules, value, unheld } = compileSchema(schema, isObject);
  const grammar = printGrammar(rules, sequence(value, text(end)));
  if (grammar === null) throw new UnusableSchemaError("No JSON of finite length fits the schema.", []);
  if (grammar.length > MAX_GRAMMAR_CHARACTERS)
    throw new UnusableSchemaError("The schema makes too large a grammar.", []);
  return { grammar, unheld };
}

/** Returns the rules of {@link createSchemaGrammar} before they are printed, of which some may match nothing. */
export function compileSchema(
  schema: unknown,
  isObject: boolean,
): { rules: Rules; value: GrammarNode; unheld: readonly UnheldKeyword[] } {
  if (isDeeperThan(schema, MAX_DEPTH)) {
    throw new UnusableSchemaError(`The schema has more than ${MAX_DEPTH} levels of brackets.`, []);
  }
  const compiler = createCompiler(schema);
  const value = toRule(compiler, [toPlace(schema, []), ...(isObject ? [OBJECT] : [])]);
  compileQueued(compiler);
  return { rules: compiler.rules, value, unheld: [...compiler.unheld.values()] };
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1));
}
