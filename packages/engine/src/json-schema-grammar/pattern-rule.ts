import type { Compiler } from "./compiler.ts";
import { rule } from "./nodes.ts";
import { type LengthLimits, type PatternGrammar, patternGrammar } from "./patterns.ts";

/** Returns the rule for a pattern and a length, or why there is none; the same pattern is read once in a schema. */
export function patternRule(compiler: Compiler, pattern: string, length: LengthLimits): PatternGrammar {
  const key = `${length.min} ${length.max} ${pattern}`;
  const known = compiler.patterns.get(key);
  if (known) return known;
  const read = patternGrammar(pattern, length, compiler.patternBudget);
  const name = `p${compiler.patterns.size}`;
  if ("node" in read) compiler.rules.set(name, read.node);
  const kept = "node" in read ? { node: rule(name) } : read;
  compiler.patterns.set(key, kept);
  return kept;
}
