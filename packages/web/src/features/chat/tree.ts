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
export type Chosen = Readonly<Record<string, string>>;

/** One of the models compared side by side, with the selected version of its answer. */
type Lane = { lane: number; model: string; answer: Answer | null; versions: readonly string[] };
/** A visible question with its answers. */
export type Turn = { question: Question; siblings: readonly string[]; lanes: readonly Lane[] };

const placeOf = (after: readonly string[]): string =>
  after.length > 1 ? [...after].sort().join(" ") : (after[0] ?? "");
const questionKey = (after: readonly string[]): string => `q ${placeOf(after)}`;
const answerKey = (question: string, lane: number): string => `a ${question} ${lane}`;

/** A tree without entries. */
export const EMPTY_TREE: Tree = { entries: new Map(), questionsAfter: new Map(), answersOf: new Map() };

/** Builds a tree from entries in any order. */
export function treeOf(entries: Iterable<Entry>): Tree {
  return indexed(new Map([...entries].map((entry) => [entry.id, entry])));
}

/** Returns the tree with entries added or replaced. */
export function withEntries(tree: Tree, entries: readonly Entry[]): Tree {
  const all = new Map(tree.entries);
  for (const entry of entries) all.set(entry.id, entry);
  // With few entries, only the affected lists are rebuilt.
  if (entries.length > FEW || entries.some((entry) => hasMoved(entry, tree.entries.get(entry.id)))) return indexed(all);
  const questionsAfter = new Map(tree.questionsAfter);
  const answersOf = new Map(tree.answersOf);
  for (const entry of entries) {
    if (entry.kind === "question") put(questionsAfter, placeOf(entry.after), entry);
    else put(answersOf, entry.question, entry);
  }
  return { entries: all, questionsAfter, answersOf };
}

const FEW = 50;

/** Whether an entry has another parent than the stored entry with the same id. */
function hasMoved(entry: Entry, known: Entry | undefined): boolean {
  if (!known) return false;
  if (entry.kind === "question") return known.kind !== "question" || placeOf(known.after) !== placeOf(entry.after);
  return known.kind !== "answer" || known.question !== entry.question;
}

const inOrder = (a: Entry, b: Entry): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

function put<T extends Entry>(lists: Map<string, readonly T[]>, key: string, entry: T): void {
  const others = (lists.get(key) ?? []).filter(({ id }) => id !== entry.id);
  lists.set(key, [...others, entry].sort(inOrder));
}

function indexed(entries: ReadonlyMap<string, Entry>): Tree {
  const questionsAfter = new Map<string, Question[]>();
  const answersOf = new Map<string, Answer[]>();
  for (const entry of [...entries.values()].sort(inOrder)) {
    if (entry.kind === "question") add(questionsAfter, placeOf(entry.after), entry);
    else add(answersOf, entry.question, entry);
  }
  return { entries, questionsAfter, answersOf };
}

function add<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Returns the visible branch: the selected entries, and the newest where nothing is selected. */
export function visibleTurns(tree: Tree, chosen: Chosen): Turn[] {
  const turns: Turn[] = [];
  const seen = new Set<string>(); // an imported file may contain a cycle
  let after: readonly string[] = [];
  for (;;) {
    const siblings: readonly Question[] = tree.questionsAfter.get(placeOf(after)) ?? [];
    const wanted = siblings.length > 1 ? chosen[questionKey(after)] : undefined;
    const question = siblings.find(({ id }) => id === wanted) ?? siblings.at(-1);
    if (!question || seen.has(question.id)) return turns;
    seen.add(question.id);
    const lanes = lanesOf(tree, question, chosen);
    turns.push({ question, siblings: siblings.map(({ id }) => id), lanes });
    after = lanes.flatMap(({ answer }) => (answer ? [answer.id] : []));
    if (after.length === 0) return turns;
  }
}

function lanesOf(tree: Tree, question: Question, chosen: Chosen): Lane[] {
  const answers = tree.answersOf.get(question.id) ?? [];
  return question.models.map((model, lane) => {
    const versions = answers.filter((answer) => answer.lane === lane);
    // Nearly all answers have a single version, so the key is only built for several.
    const wanted = versions.length > 1 ? chosen[answerKey(question.id, lane)] : undefined;
    const answer = versions.find(({ id }) => id === wanted) ?? versions.at(-1) ?? null;
    return { lane, model: answer?.model ?? model, answer, versions: versions.map(({ id }) => id) };
  });
}

/** Returns the ids of the answers that a new question would follow. */
export function endOf(turns: readonly Turn[]): string[] {
  return turns.at(-1)?.lanes.flatMap(({ answer }) => (answer ? [answer.id] : [])) ?? [];
}

/** Returns the selection that makes an entry visible. */
export function choosing(entry: Entry): Chosen {
  return entry.kind === "question"
    ? { [questionKey(entry.after)]: entry.id }
    : { [answerKey(entry.question, entry.lane)]: entry.id };
}

/** Returns the answer in a model's history: its own, else the one in the same lane, else the first. */
export function answerFor({ lanes }: Turn, model: string, lane: number): Answer | null {
  const own = lanes.find(({ answer }) => answer?.model === model);
  return (own ?? lanes[lane] ?? lanes[0])?.answer ?? lanes[0]?.answer ?? null;
}

/** Derives a title from the first question. */
export function titleFrom(text: string): string {
  const [line = ""] = text.trim().split("\n");
  const words = line.replace(/\s+/g, " ").trim();
  return words.length > 60 ? `${words.slice(0, 59).trimEnd()}…` : words || t`New chat`;
}
