import { expect, test } from "vitest";
import { createHeldPrefixes, noteAnswered, noteSent } from "./held-prefixes.ts";
import { preferHeld as preferHeldAt } from "./prefer-held.ts";
import { type PromptBlocks, toPromptBlocks } from "./prompt-blocks.ts";

const NOW = 1_000;
const preferHeld = <B extends Replica>(backends: readonly B[], prompt: PromptBlocks) =>
  preferHeldAt(backends, prompt, NOW);
const create = (name: string) => ({
  name,
  weight: 1,
  inFlight: 0,
  circuitOpenUntil: 0,
  isUnreachable: false,
  prefixes: createHeldPrefixes(),
});
type Replica = ReturnType<typeof create>;
const createReplicas = () => ["a", "b", "c", "d"].map(create);
const names = (replicas: readonly Replica[]) => replicas.map(({ name }) => name);

/** A chat of these texts, with the user's first. */
const chatOf = (...texts: string[]) => ({
  kind: "chat" as const,
  body: {
    model: "m",
    messages: texts.map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content })),
  },
});
const promptOf = (...texts: string[]) => {
  const prompt = toPromptBlocks(chatOf(...texts), "m");
  if (prompt === null) throw new Error("The chat has no prompt.");
  return prompt;
};
/** A text of this many blocks. */
const textOf = (blocks: number, word: string) => `${word} `.repeat(Math.ceil((blocks * 256) / (word.length + 1)));

/** Sends a prompt to a replica that answers it. */
function answer(replica: Replica, ...texts: string[]): void {
  noteAnswered(replica.prefixes, noteSent(replica.prefixes, promptOf(...texts).hashes));
}

test("a prompt goes to the backend that has evaluated the longest part of it", () => {
  const replicas = createReplicas();
  const [a, b, c] = replicas as [Replica, Replica, Replica];
  answer(a, textOf(10, "rules"), "yes", textOf(10, "other"));
  answer(b, textOf(10, "rules"), "yes", textOf(10, "question"));
  answer(c, textOf(10, "nothing in common"));
  const prompt = promptOf(textOf(10, "rules"), "yes", textOf(10, "question"), "an answer", "more");
  expect(names(preferHeld(replicas, prompt)).slice(0, 2)).toEqual(["b", "a"]);
});

test("a backend is not preferred while it evaluates more for other calls than the prompt needs elsewhere", () => {
  const replicas = createReplicas();
  const [a] = replicas as [Replica];
  for (const replica of replicas) answer(replica, textOf(5, replica.name));
  answer(a, textOf(20, "rules"));
  const prompt = promptOf(textOf(20, "rules"));
  const shorter = noteSent(a.prefixes, promptOf(textOf(18, "another")).hashes);
  expect(names(preferHeld(replicas, prompt))[0]).toBe("a");
  const longer = noteSent(a.prefixes, promptOf(textOf(5, "one more")).hashes);
  expect(names(preferHeld(replicas, prompt))[0]).not.toBe("a");
  a.weight = 4;
  expect(names(preferHeld(replicas, prompt))[0]).toBe("a");
  a.weight = 1;
  for (const sent of [shorter, longer]) noteAnswered(a.prefixes, sent);
  expect(names(preferHeld(replicas, prompt))[0]).toBe("a");
});

test("while all are busy, new chats with a common prompt are spread, and each stays at its backend", () => {
  const replicas = createReplicas();
  const rules = textOf(20, "rules");
  const first = new Map<string, string>();
  for (let index = 0; index < 200; index++) {
    const [chosen] = preferHeld(replicas, promptOf(rules, "yes", textOf(4, `chat ${index}`)));
    for (const replica of replicas) replica.inFlight = 2;
    if (chosen === undefined) throw new Error("No backend was chosen.");
    answer(chosen, rules, "yes", textOf(4, `chat ${index}`));
    first.set(`chat ${index}`, chosen.name);
  }
  const chats = Object.values(Object.groupBy(first.values(), (name) => name)).map((names) => names?.length ?? 0);
  expect(chats).toHaveLength(4);
  expect(Math.max(...chats)).toBeLessThan(1.3 * 50);
  for (const [chat, name] of first)
    expect(preferHeld(replicas, promptOf(rules, "yes", textOf(4, chat), "an answer", "more"))[0]?.name).toBe(name);
});

test("one chat after the other stays at the backend that holds their common prompt", () => {
  const replicas = createReplicas();
  const rules = textOf(20, "rules");
  const chosen = new Set<string>();
  for (let index = 0; index < 50; index++) {
    const [best] = preferHeld(replicas, promptOf(rules, "yes", `chat ${index}`));
    if (best === undefined) throw new Error("No backend was chosen.");
    answer(best, rules, "yes", `chat ${index}`);
    chosen.add(best.name);
  }
  expect(chosen.size).toBe(1);
});

test("a backend is last while its circuit is open or it cannot be reached, whatever it holds", () => {
  const replicas = createReplicas();
  const [a] = replicas as [Replica];
  answer(a, textOf(20, "rules"));
  a.circuitOpenUntil = NOW;
  expect(names(preferHeld(replicas, promptOf(textOf(20, "rules"))))[0]).toBe("a");
  a.circuitOpenUntil = NOW + 1;
  expect(names(preferHeld(replicas, promptOf(textOf(20, "rules"))))[3]).toBe("a");
  Object.assign(a, { circuitOpenUntil: 0, isUnreachable: true });
  expect(names(preferHeld(replicas, promptOf(textOf(20, "rules"))))[3]).toBe("a");
});

test("prompts that no backend holds are spread by their opening, and a conversation stays where it began", () => {
  const conversations = Array.from({ length: 80 }, (_, index) => `question ${index}`);
  const first = (...texts: string[]) => preferHeld(createReplicas(), promptOf(...texts))[0]?.name;
  for (const text of conversations) expect(first(text, "an answer", "more")).toBe(first(text));
  expect(new Set(conversations.map((text) => first(text)))).toEqual(new Set(["a", "b", "c", "d"]));
});

test("of prompts that no backend holds, each gets as many as its weight says", () => {
  const firsts = Array.from({ length: 400 }, (_, index) => {
    const [a, b] = createReplicas() as [Replica, Replica];
    a.weight = 3;
    return preferHeld([a, b], promptOf(`question ${index}`))[0]?.name;
  });
  expect(Math.abs(firsts.filter((name) => name === "a").length - 300)).toBeLessThan(30);
});

test("with one backend less, only the prompts move that it would have got", () => {
  const conversations = Array.from({ length: 60 }, (_, index) => `question ${index}`);
  const firstOf = (replicas: Replica[], text: string) => preferHeld(replicas, promptOf(text))[0]?.name;
  for (const text of conversations) {
    const before = firstOf(createReplicas(), text);
    if (before !== "d") expect(firstOf(createReplicas().slice(0, 3), text)).toBe(before);
  }
});
