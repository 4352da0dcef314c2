import type { GrammarNode } from "../json-schema-grammar/nodes.ts";
import type { Rules } from "../json-schema-grammar/print-grammar.ts";

/** Repetitions and nested rules beyond which the shortest way to the end is taken. */
const MAX_REPETITIONS = 3;
const MAX_STEPS = 300;

type Sampler = { rules: Rules; random: () => number; costs: ReadonlyMap<string, number>; steps: number };

/** Returns a text that a node matches, chosen at random. The node must match a text of finite length. */
export function sampleGrammar(rules: Rules, node: GrammarNode, random: () => number): string {
  return sample(node, { rules, random, costs: computeCosts(rules), steps: 0 });
}

/** Returns a generator of numbers from 0 to 1 that repeats itself for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How many characters each rule takes at least, infinite for rules that match nothing. */
function computeCosts(rules: Rules): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const [name, node] of rules) {
      const cost = costOf(node, costs);
      if (cost >= (costs.get(name) ?? Number.POSITIVE_INFINITY)) continue;
      costs.set(name, cost);
      hasChanged = true;
    }
  }
  return costs;
}

function costOf(node: GrammarNode, costs: ReadonlyMap<string, number>): number {
  switch (node.kind) {
    case "text":
      return node.text.length;
    case "set":
      return 1;
    case "rule":
      return costs.get(node.name) ?? Number.POSITIVE_INFINITY;
    case "sequence":
      return node.parts.reduce((sum, part) => sum + costOf(part, costs), 0);
    case "choice":
      return Math.min(...node.options.map((option) => costOf(option, costs)));
    case "repeat":
      return node.min === 0 ? 0 : node.min * costOf(node.part, costs);
  }
}

function sample(node: GrammarNode, sampler: Sampler): string {
  sampler.steps += 1;
  const isLong = sampler.steps > MAX_STEPS;
  switch (node.kind) {
    case "text":
      return node.text;
    case "set":
      return sampleCharacter(node.ranges, sampler.random);
    case "rule": {
      const target = sampler.rules.get(node.name);
      if (!target) throw new Error(`There is no rule ${node.name}.`);
      return sample(target, sampler);
    }
    case "sequence":
      return node.parts.map((part) => sample(part, sampler)).join("");
    case "choice": {
      const cost = (option: GrammarNode) => costOf(option, sampler.costs);
      const options = node.options
        .filter((option) => Number.isFinite(cost(option)))
        .toSorted((a, b) => cost(a) - cost(b));
      const chosen = options[isLong ? 0 : Math.floor(sampler.random() * options.length)];
      if (!chosen) throw new Error("Nothing matches.");
      return sample(chosen, sampler);
    }
    case "repeat": {
      const isPossible = Number.isFinite(costOf(node.part, sampler.costs));
      const most = isLong || !isPossible ? node.min : Math.min(node.max, node.min + MAX_REPETITIONS);
      // The ends of a range are where mistakes are.
      const isAtEnd = isPossible && node.max < 1_000 && sampler.random() < 0.2;
      const count = isAtEnd ? node.max : node.min + Math.floor(sampler.random() * (most - node.min + 1));
      return Array.from({ length: count }, () => sample(node.part, sampler)).join("");
    }
  }
}

function sampleCharacter(ranges: readonly (readonly [number, number])[], random: () => number): string {
  const [first, last] = ranges[Math.floor(random() * ranges.length)] ?? [0x61, 0x61];
  const offset = random() < 0.3 ? 0 : random() < 0.3 ? last - first : Math.floor(random() * (last - first + 1));
  return String.fromCodePoint(first + offset);
}
