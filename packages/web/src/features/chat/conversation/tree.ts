import type { SentPassage } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { Answer, Entry, Question } from "./types.ts";

/**
 * All entries of a conversation, in all branches. A question follows the answers visible when it was asked. Editing
 * adds a sibling question, regenerating adds a version of an answer. Nothing is replaced, so entries added by two tabs
 * can be merged.
 */
export type Tree = {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly questionsAfter: ReadonlyMap<string, readonly Question[]>;
  readonly answersOf: ReadonlyMap<string, readonly Answer[]>;
};
/** The selected entry of each branching point. */
export type BranchSelection = Readonly<Record<string, string>>;

/** One of the models compared side by side, with the selected version of its answer. */
type Lane = { lane: number; model: string; answer: Answer | null; versions: readonly string[] };
/** A visible question with its answers, and the passages that their numbers in brackets stand for. */
export type Turn = {
  question: Question;
  siblings: readonly string[];
  lanes: readonly Lane[];
  passages: readonly SentPassage[];
};

const parentKeyOf = (after: readonly string[]): string =>
  after.length > 1 ? [...after].sort().join(" ") : (after[0] ?? "");
const questionKey = (after: readonly string[]): string => `q ${parentKeyOf(after)}`;
const answerKey = (question: string, lane: number): string => `a ${question} ${lane}`;

/** A tree without entries. */
export const EMPTY_TREE: Tree = { entries: new Map(), questionsAfter: new Map(), answersOf: new Map() };

/** Builds a tree from entries in any order. */
export function buildTree(entries: Iterable<Entry>): Tree {
  return indexEntries(new Map([...entries].map((entry) => [entry.id, entry])));
}

/** Returns the tree with entries added or replaced. */
export function withEntries(tree: Tree, entries: readonly Entry[]): Tree {
  const all = new Map(tree.entries);
  for (const entry of entries) all.set(entry.id, entry);
  // With few entries, only the affected lists are rebuilt.
  if (
    entries.length > MAX_INCREMENTAL_ENTRIES ||
    entries.some((entry) => hasOtherParent(entry, tree.entries.get(entry.id)))
  )
    return indexEntries(all);
  const questionsAfter = new Map(tree.questionsAfter);
  const answersOf = new Map(tree.answersOf);
  for (const entry of entries) {
    if (entry.kind === "question") insertSorted(questionsAfter, parentKeyOf(entry.after), entry);
    else insertSorted(answersOf, entry.question, entry);
  }
  return { entries: all, questionsAfter, answersOf };
}

const MAX_INCREMENTAL_ENTRIES = 50;

/** Whether an entry has another parent than the stored entry with the same id. */
function hasOtherParent(entry: Entry, previous: Entry | undefined): boolean {
  if (!previous) return false;
  if (entry.kind === "question")
    return previous.kind !== "question" || parentKeyOf(previous.after) !== parentKeyOf(entry.after);
  return previous.kind !== "answer" || previous.question !== entry.question;
}

const compareEntries = (a: Entry, b: Entry): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

function insertSorted<T extends Entry>(lists: Map<string, readonly T[]>, key: string, entry: T): void {
  const others = (lists.get(key) ?? []).filter(({ id }) => id !== entry.id);
  lists.set(key, [...others, entry].sort(compareEntries));
}

function indexEntries(entries: ReadonlyMap<string, Entry>): Tree {
  const questionsAfter = new Map<string, Question[]>();
  const answersOf = new Map<string, Answer[]>();
  for (const entry of [...entries.values()].sort(compareEntries)) {
    if (entry.kind === "question") append(questionsAfter, parentKeyOf(entry.after), entry);
    else append(answersOf, entry.question, entry);
  }
  return { entries, questionsAfter, answersOf };
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Returns the visible branch: the selected entries, and the newest where nothing is selected. */
export function visibleTurns(tree: Tree, chosen: BranchSelection): Turn[] {
  const turns: Turn[] = [];
  const seen = new Set<string>(); // an imported file may contain a cycle
  let after: readonly string[] = [];
  for (;;) {
    const siblings: readonly Question[] = tree.questionsAfter.get(parentKeyOf(after)) ?? [];
    const selectedId = siblings.length > 1 ? chosen[questionKey(after)] : undefined;
    const question = siblings.find(({ id }) => id === selectedId) ?? siblings.at(-1);
    if (!question || seen.has(question.id)) return turns;
    seen.add(question.id);
    const lanes = lanesOf(tree, question, chosen);
    const passages = passagesOf(question, turns.at(-1));
    turns.push({ question, siblings: siblings.map(({ id }) => id), lanes, passages });
    after = lanes.flatMap(({ answer }) => (answer ? [answer.id] : []));
    if (after.length === 0) return turns;
  }
}

const NO_PASSAGES: readonly SentPassage[] = [];

/** Returns the passages of a question; for results of tools, those of the question for which the tools were called. */
function passagesOf({ passages, text, results }: Question, previous: Turn | undefined): readonly SentPassage[] {
  if (passages) return passages;
  return (text === "" && results.length > 0 ? previous?.passages : undefined) ?? NO_PASSAGES;
}

function lanesOf(tree: Tree, question: Question, chosen: BranchSelection): Lane[] {
  const answers = tree.answersOf.get(question.id) ?? [];
  return question.models.map((model, lane) => {
    const versions = answers.filter((answer) => answer.lane === lane);
    // Nearly all answers have a single version, so the key is only built for several.
    const selectedId = versions.length > 1 ? chosen[answerKey(question.id, lane)] : undefined;
    const answer = versions.find(({ id }) => id === selectedId) ?? versions.at(-1) ?? null;
    return { lane, model: answer?.model ?? model, answer, versions: versions.map(({ id }) => id) };
  });
}

/** Returns the ids of the answers that a new question would follow. */
export function lastAnswerIds(turns: readonly Turn[]): string[] {
  return turns.at(-1)?.lanes.flatMap(({ answer }) => (answer ? [answer.id] : [])) ?? [];
}

/** Returns the selection that makes an entry visible. */
export function selectionOf(entry: Entry): BranchSelection {
  return entry.kind === "question"
    ? { [questionKey(entry.after)]: entry.id }
    : { [answerKey(entry.question, entry.lane)]: entry.id };
}

/** Returns the answer in a model's history: its own, else the one in the same lane, else the first. */
export function answerFor({ lanes }: Turn, model: string, lane: number): Answer | null {
  const ownLane = lanes.find(({ answer }) => answer?.model === model);
  return (ownLane ?? lanes[lane] ?? lanes[0])?.answer ?? lanes[0]?.answer ?? null;
}

/** Derives a title from the first question. */
export function deriveTitle(text: string): string {
  const [line = ""] = text.trim().split("\n");
  const words = line.replace(/\s+/g, " ").trim();
  return words.length > 60 ? `${words.slice(0, 59).trimEnd()}…` : words || t`New chat`;
}
