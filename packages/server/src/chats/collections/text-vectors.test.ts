import { expect, test } from "vitest";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { createTextVectors } from "./text-vectors.ts";

const ACTOR: SignedInActor = {
  ...{ kind: "user", userId: "usr_1", organizationId: "org_1", role: "developer", isAdmin: false },
  ...{ emailVerified: true, scopes: [], credential: { type: "session", id: "ses_1", impersonatedBy: null } },
};
const HOUR = 3_600_000;
const TEXTS = Array.from({ length: 40 }, (_, index) => `text ${index}`);
const { signal } = new AbortController();
const request = { model: "acme/embed", texts: TEXTS, dimensions: 2, signal };

/** Creates what makes vectors, with the texts of each call. `answer` makes the vectors of the nth call, from 0. */
function setup(
  answer: (call: number, gone: AbortSignal) => Promise<number[][]> | null = () => null,
  maxBytes?: number,
) {
  const calls: (readonly string[])[] = [];
  const clock = { at: 1 };
  const make = createTextVectors({
    timeoutMs: 5,
    ...(maxBytes !== undefined && { maxBytes }),
    now: () => clock.at,
    embedTexts: async (_actor, { texts, signal: gone }) => {
      calls.push(texts);
      return (await answer(calls.length - 1, gone)) ?? texts.map(() => [0, 2]);
    },
  });
  return { calls, clock, make };
}
const never = (gone: AbortSignal) =>
  new Promise<number[][]>((_resolve, reject) => gone.addEventListener("abort", () => reject(gone.reason)));

test("vectors are made 8 at a time and have the length 1, and equal texts get one", async () => {
  const { calls, make } = setup();
  const { vectors, problem } = await make(ACTOR, { ...request, texts: [...TEXTS, "text 0"] });
  expect(calls.map(({ length }) => length)).toEqual([8, 8, 8, 8, 8]);
  expect(vectors).toHaveLength(41);
  expect(vectors[40]).toEqual({ dimensions: 2, values: new Float32Array([0, 1]) });
  expect(problem).toBeNull();
});

test("what was made when time is over is returned, and the next call goes on from there", async () => {
  const { calls, make } = setup((call, gone) => (call === 1 ? never(gone) : null));
  const { vectors, problem } = await make(ACTOR, request);
  expect(vectors.filter((vector) => vector !== null)).toHaveLength(8);
  expect(problem).toBe("acme/embed did not make the vectors of all passages in time.");
  expect((await make(ACTOR, request)).vectors.every((vector) => vector !== null)).toBe(true);
  expect(calls[2]).toEqual(TEXTS.slice(8, 16));
});

test("a refusal of a model or a limit is said, and ends the calls", async () => {
  const { calls, make } = setup(() => Promise.reject(errors.overloaded()));
  const { vectors, problem } = await make(ACTOR, request);
  expect(problem).toMatch(/^acme\/embed cannot be used: /);
  expect([calls.length, vectors.every((vector) => vector === null)]).toEqual([1, true]);
});

test("a fault of the server is one, and not a model that cannot be used", async () => {
  const { make } = setup(() => Promise.reject(new TypeError("a bug")));
  await expect(make(ACTOR, request)).rejects.toThrow("a bug");
});

test("vectors are forgotten an hour after their last use", async () => {
  const { calls, clock, make } = setup();
  const one = { ...request, texts: ["text"] };
  await make(ACTOR, one);
  clock.at += HOUR - 1_000;
  await make(ACTOR, one);
  clock.at += HOUR - 1_000;
  await make(ACTOR, one);
  expect(calls).toHaveLength(1);
  clock.at += HOUR + 1_000;
  await make(ACTOR, one);
  expect(calls).toHaveLength(2);
});

test("vectors of another length than that of the question are not compared, and their model is named", async () => {
  const { calls, make } = setup();
  const { vectors, problem } = await make(ACTOR, { ...request, dimensions: 3 });
  expect(vectors.every((vector) => vector === null)).toBe(true);
  expect([calls.length, problem]).toEqual([1, "acme/embed answered with vectors that cannot be compared."]);
});

test("an answer with fewer vectors than texts is not kept, and its model is named", async () => {
  const { calls, make } = setup((call) => (call === 0 ? Promise.resolve([[0, 2]]) : null));
  expect((await make(ACTOR, request)).problem).toBe("acme/embed answered with vectors that cannot be compared.");
  expect((await make(ACTOR, request)).problem).toBeNull();
  expect(calls[1]).toEqual(TEXTS.slice(0, 8));
});

test("one search makes 20 calls at most, says so, and the next goes on", async () => {
  const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`);
  const { calls, make } = setup();
  const first = await make(ACTOR, { ...request, texts });
  expect([calls.length, first.vectors.filter((vector) => vector !== null).length]).toEqual([20, 160]);
  expect(first.problem).toContain("160 of 200 passages");
  const second = await make(ACTOR, { ...request, texts });
  expect([calls.length, second.vectors.includes(null), second.problem]).toEqual([25, false, null]);
});

test("vectors that the memory has no room for are compared all the same", async () => {
  const { make } = setup(() => null, 16);
  const { vectors, problem } = await make(ACTOR, request);
  expect([vectors.includes(null), problem]).toEqual([false, null]);
});
