import type { AnyCommand } from "../../command.ts";
import type { Flag, ValueKind } from "../../command-line.ts";
import { flagsOf, GLOBAL_FLAGS, propertyOf } from "../../flags.ts";
import { ALIASES, expandAlias } from "../aliases.ts";
import { type CommandGroup, loadCommands } from "../command-group.ts";

/** A completion of the current word, with a note for shells that show one. */
export type Candidate = { readonly value: string; readonly note: string };

/** Returns the names of a kind; `start` is what the name has to begin with, but more names may be returned. */
export type CandidateSource = (values: ValueKind, start: string) => Promise<readonly Candidate[]>;

/** Returns the candidates for the last word of a command line. */
export async function complete(
  words: readonly string[],
  source: CandidateSource,
  groups: readonly CommandGroup[],
): Promise<readonly Candidate[]> {
  const current = words.at(-1) ?? "";
  const before = expandAlias(words.slice(0, -1));
  const command = await findCommand(before, groups);
  const flags = command === undefined ? GLOBAL_FLAGS : [...flagsOf(command), ...GLOBAL_FLAGS];
  const positional = withoutFlags(before, flags);

  // Bash splits `--format=js` into three words; other shells keep one.
  const assigned = before.at(-1) === "=" ? before.at(-2) : current === "=" ? before.at(-1) : undefined;
  const flag = findFlag(flags, assigned ?? before.at(-1));
  if (flag && takesValue(flag))
    return filterCandidates(
      await completeFlagValue(flag, command, current === "=" ? "" : current, source),
      current === "=" ? "" : current,
    );
  const [, name, start] = /^(--[a-z-]+)=(.*)$/.exec(current) ?? [];
  if (name !== undefined && start !== undefined) {
    const named = findFlag(flags, name);
    const values = named ? await completeFlagValue(named, command, start, source) : [];
    return filterCandidates(values, start).map(({ value, note }) => ({ value: `${name}=${value}`, note }));
  }
  // After `--json`, the word may be a list of fields or the next argument.
  const fields = before.at(-1) === "--json" ? completeFields(command, current) : [];
  if (current.startsWith("-")) return filterCandidates(completeFlags(flags, before), current);
  if (command === undefined) return filterCandidates(await completeNames(positional, groups), current);
  const subcommands = await completeNames(positional, groups);
  const argument = argumentAt(command, positional.length - command.name.split(" ").length);
  const values =
    argument?.choices?.map(toCandidate) ??
    (argument?.values === undefined ? [] : await source(argument.values, current));
  return filterCandidates([...fields, ...subcommands, ...values], current);
}

/** Returns whether no shell can interpret a name of a server; others are not completed. */
export const isHarmless = (name: string): boolean => /^[\w.@:+,=/-]+$/.test(name);

function filterCandidates(candidates: readonly Candidate[], start: string): readonly Candidate[] {
  const plainStart = start.toLowerCase();
  return candidates.filter((one) => isHarmless(one.value) && one.value.toLowerCase().startsWith(plainStart));
}

const toCandidate = (value: string): Candidate => ({ value, note: "" });

const takesValue = ({ name }: Flag): boolean => name.includes("<");

function findFlag(flags: readonly Flag[], word: string | undefined): Flag | undefined {
  if (!word?.startsWith("-")) return undefined;
  return flags.find(({ name }) => name.split(/[ ,]+/).includes(word));
}

async function completeFlagValue(
  flag: Flag,
  command: AnyCommand | undefined,
  current: string,
  source: CandidateSource,
): Promise<readonly Candidate[]> {
  if (propertyOf(flag) === "json") return completeFields(command, current);
  return flag.choices?.map(toCandidate) ?? (flag.values === undefined ? [] : source(flag.values, current));
}

/** Completes the last of a comma-separated list of fields. */
function completeFields(command: AnyCommand | undefined, current: string): readonly Candidate[] {
  const given = current.slice(0, current.lastIndexOf(",") + 1);
  const taken = given.split(",");
  return (command?.fields ?? []).filter((field) => !taken.includes(field)).map((field) => toCandidate(given + field));
}

function completeFlags(flags: readonly Flag[], before: readonly string[]): readonly Candidate[] {
  return [...flags, { name: "--help", summary: "show help" }].flatMap(({ name, summary }) => {
    const long = name.split(/[ ,]+/).find((part) => part.startsWith("--"));
    return long === undefined || before.includes(long) ? [] : [{ value: long, note: summary }];
  });
}

/** Returns the words that are neither flags nor values of flags. */
function withoutFlags(words: readonly string[], flags: readonly Flag[]): readonly string[] {
  return words.filter((word, index) => {
    const previous = findFlag(flags, words[index - 1]);
    return !word.startsWith("-") && word !== "=" && words[index - 1] !== "=" && !(previous && takesValue(previous));
  });
}

/** Returns the command that the words name; undefined when they name none yet. */
async function findCommand(
  before: readonly string[],
  groups: readonly CommandGroup[],
): Promise<AnyCommand | undefined> {
  const words = withoutFlags(before, GLOBAL_FLAGS);
  const named = (name: string) => name.split(" ").every((part, index) => words[index] === part);
  const matchingGroups = await Promise.all(groups.filter(({ name }) => named(name)).map(loadCommands));
  return matchingGroups
    .flat()
    .filter(({ name }) => named(name))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}

function argumentAt({ arguments: all = [] }: AnyCommand, index: number) {
  const last = all.at(-1);
  return all[index] ?? (last?.name.includes("...") ? last : undefined);
}

/** Returns the names that can follow: nouns first, then groups and verbs. */
async function completeNames(words: readonly string[], groups: readonly CommandGroup[]): Promise<readonly Candidate[]> {
  const depth = words.length;
  const follows = (name: string) =>
    words.every((word, index) => name.split(" ")[index] === word) && name.split(" ").length > depth;
  const matchingGroups = groups.filter(
    ({ name, hidden }) => !hidden && (follows(name) || words.join(" ").startsWith(name)),
  );
  const commands =
    depth === 0 ? [] : (await Promise.all(matchingGroups.map(loadCommands))).flat().filter(({ hidden }) => !hidden);
  const notes = new Map<string, string>();
  for (const { name, summary } of [...matchingGroups, ...commands]) {
    if (!follows(name)) continue;
    const parts = name.split(" ");
    const next = parts[depth] ?? "";
    const isWhole = parts.length === depth + 1;
    if (isWhole || !notes.has(next)) notes.set(next, isWhole ? summary : "");
  }
  const aliases =
    depth === 0 ? Object.entries(ALIASES).map(([value, alias]) => ({ value, note: alias.join(" ") })) : [];
  return [...[...notes].map(([value, note]) => ({ value, note })), ...aliases];
}
