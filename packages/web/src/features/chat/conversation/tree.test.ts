import { describe, expect, test } from "vitest";
import { answer, createLongConversation, question } from "#/testing/conversations.ts";
import { answerFor, buildTree, deriveTitle, lastAnswerIds, selectionOf, visibleTurns, withEntries } from "./tree.ts";

const shown = (entries: Parameters<typeof buildTree>[0], chosen = {}) =>
  visibleTurns(buildTree(entries), chosen).map(({ question: { id }, lanes }) => [
    id,
    ...lanes.map((lane) => lane.answer?.id),
  ]);

const first = question("q1");
const one = answer("a1", "q1", { createdAt: 2 });
const two = answer("a2", "q1", { createdAt: 3 });
const next = question("q2", { after: ["a1"], createdAt: 4 });
const nextOne = answer("b1", "q2", { createdAt: 5 });

describe("the visible branch", () => {
  test.each([
    ["nothing", [], {}, []],
    ["a question that waits", [first], {}, [["q1", undefined]]],
    [
      "one branch",
      [first, one, next, nextOne],
      {},
      [
        ["q1", "a1"],
        ["q2", "b1"],
      ],
    ],
    ["the newest answer, and what follows it", [first, one, two, next, nextOne], {}, [["q1", "a2"]]],
    [
      "the chosen answer, and what follows it",
      [first, one, two, next, nextOne],
      selectionOf(one),
      [
        ["q1", "a1"],
        ["q2", "b1"],
      ],
    ],
    ["the newest of two beginnings", [first, one, question("q9", { createdAt: 9 })], {}, [["q9", undefined]]],
    [
      "the chosen of two beginnings",
      [first, one, question("q9", { createdAt: 9 })],
      selectionOf(first),
      [["q1", "a1"]],
    ],
    ["the newest where the chosen is gone", [first, one, two], { "a q1 0": "gone" }, [["q1", "a2"]]],
  ])("the visible branch shows %s", (_, entries, chosen, expected) => {
    expect(shown(entries, chosen)).toEqual(expected);
  });

  test("the visible branch contains the answers of several models and what follows all of them", () => {
    const both = question("q1", { models: ["m/one", "m/two"] });
    const other = answer("x1", "q1", { lane: 1, model: "m/two", createdAt: 3 });
    const after = question("q2", { after: ["x1", "a1"], createdAt: 4 });
    expect(shown([both, one, other, after])).toEqual([
      ["q1", "a1", "x1"],
      ["q2", undefined],
    ]);
    const again = answer("x2", "q1", { lane: 1, model: "m/two", createdAt: 5 });
    expect(shown([both, one, other, after, again])).toEqual([["q1", "a1", "x2"]]);
  });

  test("the visible branch ends at a cycle", () => {
    const circle = question("q2", { after: ["a1"] });
    expect(shown([question("q1"), one, circle, answer("a1", "q2")]).length).toBeLessThan(4);
    const self = question("q1", { after: [] });
    expect(shown([self, answer("a", "q1"), question("q1", { after: ["a"] })]).length).toBeLessThan(3);
  });
});

test("merges entries that two tabs have added", () => {
  const begun = [first, one];
  const tree = withEntries(buildTree(begun), [
    question("mine", { after: ["a1"], createdAt: 8 }),
    question("theirs", { after: ["a1"], createdAt: 9 }),
  ]);
  expect(visibleTurns(tree, selectionOf(question("mine", { after: ["a1"] }))).at(-1)).toMatchObject({
    question: { id: "mine" },
    siblings: ["mine", "theirs"],
  });
});

test("continues a model from its own answer, or from the one in its lane", () => {
  const [turn] = visibleTurns(
    buildTree([question("q1", { models: ["m/one", "m/two"] }), one, answer("x1", "q1", { lane: 1, model: "m/two" })]),
    {},
  );
  if (!turn) throw new Error("no turn");
  expect(answerFor(turn, "m/two", 0)?.id).toBe("x1");
  expect(answerFor(turn, "m/new", 1)?.id).toBe("x1");
  expect(answerFor(turn, "m/new", 3)?.id).toBe("a1");
  expect(lastAnswerIds([turn])).toEqual(["a1", "x1"]);
});

test("builds a tree of 10,000 messages quickly", () => {
  const began = performance.now();
  expect(visibleTurns(buildTree(createLongConversation(5000)), {})).toHaveLength(5000);
  expect(performance.now() - began).toBeLessThan(2_000);
});

test.each([
  ["Why do feathers insulate?", "Why do feathers insulate?"],
  ["  Two\nlines", "Two"],
  ["   ", "New chat"],
  [`${"word ".repeat(30)}`, `${"word ".repeat(11)}word…`],
])("derives a title from %j", (text, title) => {
  expect(deriveTitle(text)).toBe(title);
});

test.each([
  [
    "a question and its answer",
    [question("q3", { after: ["b1"], createdAt: 6 }), answer("c1", "q3", { createdAt: 7 })],
  ],
  ["a new version of an answer", [answer("b2", "q2", { createdAt: 8 })]],
  ["an answer that has grown", [{ ...nextOne, text: "More." }]],
  ["an answer from before", [answer("b0", "q2", { createdAt: 1 })]],
  ["a question that stands elsewhere now", [{ ...next, after: ["a2"] }]],
])("adding %s results in the same tree as building it anew", (_what, added) => {
  const before = [first, one, two, next, nextOne];
  const all = new Map([...before, ...added].map((entry) => [entry.id, entry]));
  expect(withEntries(buildTree(before), added)).toEqual(buildTree(all.values()));
});
