import {
  type CodePointRange,
  choice,
  type GrammarNode,
  intersectRanges,
  invertRanges,
  NEVER,
  oneOf,
  optional,
  repeat,
  rule,
  sequence,
  text,
} from "./nodes.ts";

/** Any JSON value. */
export const ANY_VALUE: GrammarNode = rule("value");
/** Any JSON object. */
export const ANY_OBJECT: GrammarNode = rule("object");
/** Any JSON array. */
export const ANY_ARRAY: GrammarNode = rule("array");
/** One character of a string, plain or escaped. */
export const STRING_CHARACTER: GrammarNode = rule("char");
/** Any number that JavaScript and Python read alike. */
export const ANY_NUMBER: GrammarNode = rule("number");
/** What may be between brackets, commas and values. */
export const SPACE: GrammarNode = rule("space");
/** What separates a name from its value. */
export const COLON: GrammarNode = sequence(text(":"), optional(text(" ")));
/** What separates values and properties. */
export const COMMA: GrammarNode = sequence(text(","), SPACE);

/** Code points that a string of JSON has to escape, and surrogates, which are no characters. */
const ESCAPED: readonly CodePointRange[] = [
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0xd8_00, 0xdf_ff],
];
/** Code points that a string has as they are. DEL is allowed, but no model should write it. */
const PLAIN: readonly CodePointRange[] = invertRanges([...ESCAPED, [0x7f, 0x7f]]);
const SHORT_ESCAPES: readonly (readonly [string, string])[] = [
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\t", "\\t"],
  ["\r", "\\r"],
  ["\b", "\\b"],
  ["\f", "\\f"],
];

/** Rules that any JSON needs. */
export const SHARED_RULES: ReadonlyMap<string, GrammarNode> = createSharedRules();

/** Returns a node that matches a value as compact JSON. */
export function literal(value: unknown): GrammarNode {
  return text(JSON.stringify(value));
}

/**
 * Returns a node that matches one of several values as compact JSON; the beginning that values share is matched once.
 */
export function literals(values: readonly unknown[]): GrammarNode {
  return oneOfTexts([...new Set(values.map((value) => JSON.stringify(value)))]);
}

function oneOfTexts(texts: readonly string[]): GrammarNode {
  const groups = new Map<number | undefined, string[]>();
  for (const each of texts) {
    const first = each.codePointAt(0);
    groups.set(first, [...(groups.get(first) ?? []), each]);
  }
  return choice([...groups.values()].map(beginAlike));
}

function beginAlike(texts: readonly string[]): GrammarNode {
  const [first = "", ...others] = texts;
  if (others.length === 0) return text(first);
  const characters = Array.from(first);
  const same = characters.findIndex(
    (_, index) => !others.every((each) => each.startsWith(characters.slice(0, index + 1).join(""))),
  );
  const prefix = characters.slice(0, same < 0 ? undefined : same).join("");
  return sequence(text(prefix), oneOfTexts(texts.map((each) => each.slice(prefix.length))));
}

/** Returns a node that matches one character of a string, as JSON writes it; {@link NEVER} for surrogates alone. */
export function stringCharacter(ranges: readonly CodePointRange[]): GrammarNode {
  const has = (codePoint: number) => ranges.some(([first, last]) => first <= codePoint && codePoint <= last);
  const plain = intersectRanges(ranges, PLAIN);
  const escaped = SHORT_ESCAPES.filter(([character]) => has(character.charCodeAt(0))).map(([, written]) =>
    text(written),
  );
  const options = [...(plain.length > 0 ? [oneOf(plain)] : []), ...escaped];
  if (options.length > 0) return choice(options);
  const others = intersectRanges(ranges, [
    [0, 0x1f],
    [0x7f, 0x7f],
  ]);
  return others.length === 0 ? NEVER : choice(others.flatMap(listControlEscapes));
}

function listControlEscapes([first, last]: CodePointRange): GrammarNode[] {
  return Array.from({ length: last - first + 1 }, (_, index) =>
    text(`\\u${(first + index).toString(16).padStart(4, "0")}`),
  );
}

/** Returns a node that matches a string whose number of characters is in the given range. */
export function stringOfLength(min: number, max: number): GrammarNode {
  return sequence(text('"'), repeat(STRING_CHARACTER, min, max), text('"'));
}

/**
 * Excluded names are compared up to this many characters: a name that begins like a longer excluded one is excluded
 * too.
 */
const MAX_EXCLUDED_PREFIX = 64;

/** `ends`: an excluded name ends here; `blocks`: no name may continue from here. */
type Trie = { ends: boolean; blocks: boolean; next: Map<number, Trie> };

/** Returns a node that matches any name of a property except the excluded ones, with its quotes. */
export function nameExcept(excluded: readonly string[]): GrammarNode {
  const root = createTrie();
  for (const name of excluded) addToTrie(root, name);
  return sequence(text('"'), notInTrie(root), text('"'));
}

function createTrie(): Trie {
  return { ends: false, blocks: false, next: new Map() };
}

function addToTrie(root: Trie, name: string): void {
  let node = root;
  const codePoints = Array.from(name, (character) => character.codePointAt(0) ?? 0);
  for (const codePoint of codePoints.slice(0, MAX_EXCLUDED_PREFIX)) {
    const next = node.next.get(codePoint) ?? createTrie();
    node.next.set(codePoint, next);
    node = next;
  }
  if (codePoints.length > MAX_EXCLUDED_PREFIX) node.blocks = true;
  node.ends = true;
}

function notInTrie({ ends, blocks, next }: Trie): GrammarNode {
  if (blocks) return NEVER;
  const known = [...next.keys()].map((codePoint): CodePointRange => [codePoint, codePoint]);
  const others = intersectRanges(PLAIN, invertRanges(known));
  const longer = [...next].map(([codePoint, child]) =>
    sequence(oneOf(intersectRanges(PLAIN, [[codePoint, codePoint]])), notInTrie(child)),
  );
  return choice([...longer, sequence(oneOf(others), rule("name-rest")), ...(ends ? [] : [text("")])]);
}

function createSharedRules(): ReadonlyMap<string, GrammarNode> {
  const many = (node: GrammarNode) => repeat(node, 0, Number.POSITIVE_INFINITY);
  const list = (item: GrammarNode) =>
    optional(sequence(item, many(sequence(text(","), rule("space"), item)), rule("space")));
  const digits = (min: number, max: number) => repeat(oneOf([[0x30, 0x39]]), min, max);
  const hex = oneOf([...range("0-9"), ...range("a-f"), ...range("A-F")]);
  const notSurrogate = choice([
    sequence(
      oneOf([...range("0-9"), ...range("a-c"), ...range("A-C"), ...range("e-f"), ...range("E-F")]),
      repeat(hex, 3, 3),
    ),
    sequence(oneOf([...range("d-d"), ...range("D-D")]), oneOf(range("0-7")), repeat(hex, 2, 2)),
  ]);
  const escaped = choice([
    oneOf([...'"\\/bfnrt'].map((character) => codePointOf(character))),
    sequence(text("u"), notSurrogate),
  ]);
  const member = sequence(rule("string"), text(":"), optional(text(" ")), rule("value"));
  return new Map<string, GrammarNode>([
    [
      "value",
      choice([rule("object"), rule("array"), rule("string"), rule("number"), ...["true", "false", "null"].map(text)]),
    ],
    ["object", sequence(text("{"), rule("space"), list(member), text("}"))],
    ["array", sequence(text("["), rule("space"), list(rule("value")), text("]"))],
    ["string", sequence(text('"'), many(rule("char")), text('"'))],
    ["char", choice([oneOf(PLAIN), sequence(text("\\"), escaped)])],
    ["name-rest", many(oneOf(PLAIN))],
    ["integer", sequence(optional(text("-")), choice([text("0"), sequence(oneOf(range("1-9")), digits(0, 14))]))],
    [
      "number",
      sequence(
        rule("integer"),
        optional(sequence(text("."), digits(1, 15))),
        optional(
          sequence(
            oneOf([...range("e-e"), ...range("E-E")]),
            optional(oneOf([codePointOf("+"), codePointOf("-")])),
            digits(1, 2),
          ),
        ),
      ),
    ],
    [
      "space",
      choice([text(""), text(" "), sequence(text("\n"), repeat(oneOf([codePointOf(" "), codePointOf("\t")]), 0, 20))]),
    ],
  ]);
}

function codePointOf(character: string): CodePointRange {
  const codePoint = character.codePointAt(0) ?? 0;
  return [codePoint, codePoint];
}

function range(bounds: string): CodePointRange[] {
  return [[bounds.charCodeAt(0), bounds.charCodeAt(2)]];
}
