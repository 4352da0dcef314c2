import { type CodePointRange, choice, EMPTY, type GrammarNode, repeat, rule, sequence } from "./nodes.ts";

/** Rules by name. */
export type Rules = ReadonlyMap<string, GrammarNode>;

/**
 * llama.cpp takes a higher bound of a repetition as no bound at all, and refuses a lower one from here on, so longer
 * repetitions are written as several.
 */
const MAX_REPETITIONS = 1_000;

/**
 * Returns the grammar in llama.cpp's format (GBNF), whose first rule is `root`. It contains only the rules that `root`
 * reaches, without options that match no text of finite length. Returns null if nothing matches `root`.
 */
export function printGrammar(rules: Rules, root: GrammarNode): string | null {
  const finite = findFiniteRules(rules);
  const prunedRoot = prune(root, finite);
  if (prunedRoot === null) return null;
  const printer: Printer = { lines: [], helpers: new Map(), rules, finite, printed: new Set() };
  const pending = [["root", prunedRoot]] as [string, GrammarNode][];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [name, node] = next;
    printer.lines.push(`${name} ::= ${print(node, printer, "rule")}`);
    for (const used of rulesOf(node)) {
      if (printer.printed.has(used)) continue;
      printer.printed.add(used);
      pending.push([used, prune(rules.get(used) ?? EMPTY, finite) ?? EMPTY]);
    }
  }
  return `${printer.lines.join("\n")}\n`;
}

type Printer = {
  lines: string[];
  /** Names of the helper rules, by the text of their definition. */
  helpers: Map<string, string>;
  rules: Rules;
  finite: ReadonlySet<string>;
  printed: Set<string>;
};

/** Finds the rules that a text of finite length matches, by adding rules until no more are found. */
function findFiniteRules(rules: Rules): ReadonlySet<string> {
  const finite = new Set<string>();
  const users = new Map<string, string[]>();
  for (const [name, node] of rules) {
    for (const used of rulesOf(node)) users.set(used, [...(users.get(used) ?? []), name]);
  }
  const pending = [...rules.keys()];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const node = rules.get(name);
    if (finite.has(name) || !node || !isFiniteNode(node, finite)) continue;
    finite.add(name);
    pending.push(...(users.get(name) ?? []));
  }
  return finite;
}

function isFiniteNode(node: GrammarNode, finite: ReadonlySet<string>): boolean {
  switch (node.kind) {
    case "rule":
      return finite.has(node.name);
    case "sequence":
      return node.parts.every((part) => isFiniteNode(part, finite));
    case "choice":
      return node.options.some((option) => isFiniteNode(option, finite));
    case "repeat":
      return node.min === 0 || isFiniteNode(node.part, finite);
    default:
      return true;
  }
}

/** Returns the node without options that nothing matches; null if nothing matches the node. */
function prune(node: GrammarNode, finite: ReadonlySet<string>): GrammarNode | null {
  if (!isFiniteNode(node, finite)) return null;
  const keep = (part: GrammarNode) => prune(part, finite);
  const isKept = (part: GrammarNode | null) => part !== null;
  if (node.kind === "sequence") return sequence(...node.parts.map(keep).filter(isKept));
  if (node.kind === "choice") return choice(node.options.map(keep).filter(isKept));
  if (node.kind !== "repeat") return node;
  const part = keep(node.part);
  return part === null ? EMPTY : repeat(part, node.min, node.max);
}

function rulesOf(node: GrammarNode): string[] {
  if (node.kind === "rule") return [node.name];
  if (node.kind === "repeat") return rulesOf(node.part);
  if (node.kind === "sequence") return node.parts.flatMap(rulesOf);
  return node.kind === "choice" ? node.options.flatMap(rulesOf) : [];
}

/** `place` says what a node is printed into, and so whether it needs brackets. */
function print(node: GrammarNode, printer: Printer, place: "rule" | "sequence" | "repeat"): string {
  switch (node.kind) {
    case "text":
      return printText(node.text);
    case "set":
      return `[${node.ranges.map(printRange).join("")}]`;
    case "rule":
      return node.name;
    case "sequence": {
      const parts = node.parts.map((part) => print(part, printer, "sequence")).join(" ");
      return place === "repeat" ? `(${parts})` : parts;
    }
    case "choice": {
      const options = node.options.map((option) => print(option, printer, "rule")).join(" | ");
      return place === "rule" ? options : `(${options})`;
    }
    case "repeat":
      return printRepeat(node, printer, place);
  }
}

function printRepeat(
  { part, min, max }: Extract<GrammarNode, { kind: "repeat" }>,
  printer: Printer,
  place: "rule" | "sequence" | "repeat",
): string {
  const isShort = min <= 1 && (max === 1 || max === Number.POSITIVE_INFINITY);
  if (isShort) {
    const printed = `${print(part, printer, "repeat")}${max === 1 ? "?" : min === 0 ? "*" : "+"}`;
    return place === "repeat" ? `(${printed})` : printed;
  }
  // llama.cpp copies the repeated part for each count, so the part has to be short. It counts repetitions of one rule
  // or set only.
  const repeated = part.kind === "set" || part.kind === "rule" ? part : rule(toHelper(part, printer));
  const printed = printCounts(print(toHelperSet(repeated, printer), printer, "repeat"), min, max, printer);
  return place === "repeat" ? `(${printed})` : printed;
}

/** Moves a set with several ranges into a rule: llama.cpp would copy the set for each repetition. */
function toHelperSet(node: GrammarNode, printer: Printer): GrammarNode {
  return node.kind === "set" && node.ranges.length > 1 ? rule(toHelper(node, printer)) : node;
}

function toHelper(part: GrammarNode, printer: Printer): string {
  return nameHelper(print(part, printer, "rule"), printer);
}

function nameHelper(printed: string, { helpers, lines }: Printer): string {
  const name = helpers.get(printed) ?? `x${helpers.size}`;
  if (!helpers.has(printed)) {
    helpers.set(printed, name);
    lines.push(`${name} ::= ${printed}`);
  }
  return name;
}

/** Prints a repetition in pieces that llama.cpp counts: first what must be there, then what may be. */
function printCounts(part: string, min: number, max: number, printer: Printer): string {
  if (min >= MAX_REPETITIONS) {
    const piece = nameHelper(`${part}{${MAX_REPETITIONS - 1}}`, printer);
    return `${piece} ${printCounts(part, min - MAX_REPETITIONS + 1, max - MAX_REPETITIONS + 1, printer)}`;
  }
  if (max === Number.POSITIVE_INFINITY) return `${part}{${min},}`;
  if (max < MAX_REPETITIONS) return `${part}{${min},${max}}`;
  const required = min > 0 ? `${part}{${min}} ` : "";
  return `${required}${printOptionalCounts(part, max - min, printer)}`;
}

/**
 * Prints up to `max` optional parts as nested pieces. Only a full piece continues with the next one, so that there is
 * one way to match each number of parts.
 */
function printOptionalCounts(part: string, max: number, printer: Printer): string {
  if (max < MAX_REPETITIONS) return `${part}{0,${max}}`;
  const size = MAX_REPETITIONS - 1;
  const rest = printOptionalCounts(part, max - size, printer);
  return nameHelper(`${part}{0,${size - 1}} | ${part}{${size}} ${rest}`, printer);
}

function printText(value: string): string {
  return `"${Array.from(value, (character) => printCodePoint(character.codePointAt(0) ?? 0)).join("")}"`;
}

function printRange([first, last]: CodePointRange): string {
  const bounds = first === last ? [first] : [first, last];
  return bounds.map(printCodePoint).join("-");
}

/** Letters, digits and some marks as they are; everything that could mean something in a grammar by its number. */
function printCodePoint(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  if (/[\w {}:,./]/.test(character)) return character;
  const hex = codePoint.toString(16).toUpperCase();
  return codePoint > 0xff_ff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
