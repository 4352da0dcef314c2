import pino from "pino";
import { expect, test } from "vitest";
import { errors } from "../../platform/core/errors/index.ts";
import { hubUnavailable } from "./hub.errors.ts";
import type { Hub } from "./hub.ts";
import { logReachability } from "./reachability.ts";

/** Returns a hub whose `findQuantized` the test controls, and the messages that are logged about it. */
function watchHub() {
  const lines: { level: number; msg: string; reason?: string; err?: unknown }[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const state: { failure: Error | null } = { failure: null };
  const refuse = async () => Promise.reject(state.failure);
  const hub = {
    isComplete: true,
    model: refuse,
    download: refuse,
    verifyAccess: refuse,
    findQuantized: async () => (state.failure === null ? [] : refuse()),
  } satisfies Hub;
  const watched = logReachability(hub, log);
  const ask = (signal?: AbortSignal) => watched.findQuantized("acme/open", signal).catch(() => {});
  return { lines, state, watched, ask };
}
const unreachable = () => hubUnavailable(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }));

test("a hub that cannot be reached is logged once, without a stack, however it is asked", async () => {
  const { lines, state, watched, ask } = watchHub();
  state.failure = unreachable();
  await ask();
  await ask();
  await watched.model("acme/open").catch(() => {});
  await watched.download("acme/open", "a.gguf").catch(() => {});
  expect(lines).toMatchObject([
    { level: 40, msg: expect.stringContaining("cannot be reached"), reason: "fetch failed: connect ECONNREFUSED" },
  ]);
  expect(lines[0]).not.toHaveProperty("err");
});

test("a hub that answers again is logged, and its next failure too", async () => {
  const { lines, state, ask } = watchHub();
  for (const failure of [unreachable(), null, unreachable(), errors.hub.notFound({ subject: "model" })]) {
    state.failure = failure;
    await ask();
  }
  expect(lines.map(({ level }) => level)).toEqual([40, 30, 40, 30]);
});

test("a request that its caller ends does not count as a failure of the hub", async () => {
  const { lines, state, ask } = watchHub();
  state.failure = unreachable();
  await ask(AbortSignal.abort());
  expect(lines).toEqual([]);
});
