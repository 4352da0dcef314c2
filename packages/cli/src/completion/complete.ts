import type { AnyCommand, Flag, Values } from "../command.ts";
import { type Branch, commandsOf } from "../commands/branch.ts";
import { flagsOf, GLOBAL_FLAGS, propertyOf } from "../flags.ts";

/** A completion of the current word, with a note for shells that show one. */
export type Candidate = { readonly value: string; readonly note: string };

/** Returns the names of a kind; `start` is what the name has to begin with, but more names may be returned. */
export type Source = (values: Values, start: string) => Promise<readonly Candidate[]>;

/** Returns the candidates for the last word of a command line. */
export async function complete(
  words: readonly string[],
  source: Source,
  table: readonly Branch[],
): Promise<readonly Candidate[]> {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const command = await commandOf(before, table);
  const flags = command === undefined ? GLOBAL_FLAGS : [...flagsOf(command), ...GLOBAL_FLAGS];
  const positional = withoutFlags(before, flags);

  // Bash splits `--format=js` into three words; other shells keep one.
  const assigned = before.at(-1) === "=" ? before.at(-2) : current === "=" ? before.at(-1) : undefined;
  const flag = flagNamed(flags, assigned ?? before.at(-1));
  if (flag && takesValue(flag))
    return fitting(
      await valuesOf(flag, command, current === "=" ? "" : current, source),
      current === "=" ? "" : current,
    );
  const [, name, start] = /^(--[a-z-]+)=(.*)$/.exec(current) ?? [];
  if (name !== undefined && start !== undefined) {
    const named = flagNamed(flags, name);
    const values = named ? await valuesOf(named, command, start, source) : [];
    return fitting(values, start).map(({ value, note }) => ({ value: `${name}=${value}`, note }));
  }
  // After `--json`, the word may be a list of fields or the next argument.
  const fields = before.at(-1) === "--json" ? fieldsAfter(command, current) : [];
  if (current.startsWith("-")) return fitting(flagCandidates(flags, before), current);
  if (command === undefined) return fitting(await nextNames(positional, table), current);
  const deeper = await nextNames(positional, table);
  const argument = argumentAt(command, positional.length - command.name.split(" ").length);
  const values =
    argument?.choices?.map(plain) ?? (argument?.values === undefined ? [] : await source(argument.values, current));
  return fitting([...fields, ...deeper, ...values], current);
}

/** Names come from a server: only those are completed that no shell can interpret. */
const isHarmless = ({ value }: Candidate): boolean => /^[\w.@:+,=/-]+$/.test(value);

function fitting(candidates: readonly Candidate[], start: string): readonly Candidate[] {
  const plainStart = start.toLowerCase();
  return candidates.filter((one) => isHarmless(one) && one.value.toLowerCase().startsWith(plainStart));
}

const plain = (value: string): Candidate => ({ value, note: "" });

const takesValue = ({ name }: Flag): boolean => name.includes("<");

function flagNamed(flags: readonly Flag[], word: string | undefined): Flag | undefined {
  if (!word?.startsWith("-")) return undefined;
  return flags.find(({ name }) => name.split(/[ ,]+/).includes(word));
}

async function valuesOf(
  flag: Flag,
  command: AnyCommand | undefined,
  current: string,
  source: Source,
): Promise<readonly Candidate[]> {
  if (propertyOf(flag) === "json") return fieldsAfter(command, current);
  return flag.choices?.map(plain) ?? (flag.values === undefined ? [] : source(flag.values, current));
}

/** Completes the last of a comma-separated list of fields. */
function fieldsAfter(command: AnyCommand | undefined, current: string): readonly Candidate[] {
  const given = current.slice(0, current.lastIndexOf(",") + 1);
  const taken = given.split(",");
  return (command?.fields ?? []).filter((field) => !taken.includes(field)).map((field) => plain(given + field));
}

function flagCandidates(flags: readonly Flag[], before: readonly string[]): readonly Candidate[] {
  return [...flags, { name: "--help", summary: "show help" }].flatMap(({ name, summary }) => {
    const long = name.split(/[ ,]+/).find((part) => part.startsWith("--"));
    return long === undefined || before.includes(long) ? [] : [{ value: long, note: summary }];
  });
}

/** Returns the words that are neither flags nor values of flags. */
function withoutFlags(words: readonly string[], flags: readonly Flag[]): readonly string[] {
  return words.filter((word, index) => {
    const previous = flagNamed(flags, words[index - 1]);
    return !word.startsWith("-") && word !== "=" && words[index - 1] !== "=" && !(previous && takesValue(previous));
  });
}

/** Returns the command that the words name; undefined when they name none yet. */
async function commandOf(before: readonly string[], table: readonly Branch[]): Promise<AnyCommand | undefined> {
  const words = withoutFlags(before, GLOBAL_FLAGS);
  const named = (name: string) => name.split(" ").every((part, index) => words[index] === part);
  const branches = await Promise.all(table.filter(({ name }) => named(name)).map(commandsOf));
  return branches
    .flat()
    .filter(({ name }) => named(name))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}

function argumentAt({ arguments: all = [] }: AnyCommand, index: number) {
  const last = all.at(-1);
  return all[index] ?? (last?.name.includes("...") ? last : undefined);
}

/** Returns the names that can follow: nouns first, then groups and verbs. */
async function nextNames(words: readonly string[], table: readonly Branch[]): Promise<readonly Candidate[]> {
  const depth = words.length;
  const follows = (name: string) =>
    words.every((word, index) => name.split(" ")[index] === word) && name.split(" ").length > depth;
  const branches = table.filter(({ name, hidden }) => !hidden && (follows(name) || words.join(" ").startsWith(name)));
  const commands =
    depth === 0 ? [] : (await Promise.all(branches.map(commandsOf))).flat().filter(({ hidden }) => !hidden);
  const notes = new Map<string, string>();
  for (const { name, summary } of [...branches, ...commands]) {
    if (!follows(name)) continue;
    const parts = name.split(" ");
    const next = parts[depth] ?? "";
    const isWhole = parts.length === depth + 1;
    if (isWhole || !notes.has(next)) notes.set(next, isWhole ? summary : "");
  }
  return [...notes].map(([value, note]) => ({ value, note }));
}
