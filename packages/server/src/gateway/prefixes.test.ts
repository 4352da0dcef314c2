import { type FakeUpstream, startFakeUpstream } from "@feather/testing/fake-upstream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";
import { countHeld } from "./prefixes/held-prefixes.ts";
import { toPromptBlocks } from "./prefixes/prompt-blocks.ts";

let server: TestServer;
let account: Account;
const upstreams: FakeUpstream[] = [];

beforeAll(async () => {
  server = await createTestServer();
  account = await server.signUpOnPlan({});
});
afterEach(async () => {
  await server.removeUpstreams();
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
});
afterAll(() => server.close());

/** Adds backends of one model, by name. */
async function addReplicas(options: Parameters<typeof startFakeUpstream>[0] = {}) {
  for (const name of ["one", "two", "three"]) {
    const upstream = await startFakeUpstream(options);
    upstreams.push(upstream);
    const models = new Map([[MODEL, MODEL]]);
    server.api.backends.registry.set({ name, source: "settings", baseUrl: upstream.baseUrl, weight: 1, models });
  }
}

const RULES = "Answer in one sentence. ".repeat(40);
const conversation = (name: string, turns: number) => [
  { role: "system", content: RULES },
  ...Array.from({ length: turns }, (_, turn) => [
    { role: "user", content: `${name}: question ${turn}. ${"Tell me more. ".repeat(40)}` },
    { role: "assistant", content: `${name}: answer ${turn}. ${"That is all. ".repeat(40)}` },
  ]).flat(),
  { role: "user", content: "And then?" },
];

/** Sends a chat, and returns the backend that has answered. */
async function sendChat(name: string, turns: number, fields: object = {}) {
  const body = { model: MODEL, messages: conversation(name, turns), ...fields };
  const answer = await server.call("/v1/chat/completions", { token: account.token, body });
  expect(answer.status).toBe(200);
  return (await server.usageRow(answer.headers.get("request-id")))?.backend ?? expect.fail("no usage row");
}

describe("several backends of a model", () => {
  test.each([false, true])(
    "get each turn of a conversation where the ones before were answered (stream: %s)",
    async (stream) => {
      await addReplicas();
      for (const name of ["a", "b", "c", "d"]) {
        const first = await sendChat(name, 0, { stream });
        for (let turn = 1; turn < 4; turn++) expect(await sendChat(name, turn, { stream })).toBe(first);
      }
    },
  );

  test("are chosen as the caller says, whichever of them holds the prompt", async () => {
    await addReplicas();
    const backends = server.api.backends.registry.list();
    for (const [index, provider] of ["groq", "together", "deepinfra"].entries()) {
      const { name = "", baseUrl = "", models = new Map() } = backends[index] ?? {};
      server.api.backends.registry.set({ name, source: "settings", baseUrl, provider, weight: 1, models });
    }
    const first = await sendChat("a", 0, { provider: { order: ["groq"] } });
    const second = await sendChat("a", 1, { provider: { order: ["together"] } });
    expect([first, second]).toEqual(["one", "two"]);
  });

  test("are not asked first for the rest of a conversation whose beginning they did not answer", async () => {
    await addReplicas({ fault: { kind: "refuse", status: 500 } });
    const working = await startFakeUpstream({});
    upstreams.push(working);
    const models = new Map([[MODEL, MODEL]]);
    const { registry } = server.api.backends;
    registry.remove("three");
    registry.set({ name: "working", source: "settings", baseUrl: working.baseUrl, weight: 0.01, models });
    expect(await sendChat("a", 0)).toBe("working");
    const failed = () => upstreams.slice(0, 2).flatMap(({ recordedRequests }) => recordedRequests).length;
    const before = failed();
    expect(before).toBeGreaterThan(0);
    expect(await sendChat("a", 1)).toBe("working");
    expect(failed()).toBe(before);
  });

  test("are known to hold nothing once they cannot be reached", async () => {
    await addReplicas();
    const name = await sendChat("a", 2);
    const backend = server.api.backends.registry.list().find((one) => one.name === name) ?? expect.fail("gone");
    const prompt = toPromptBlocks({ kind: "chat", body: { model: MODEL, messages: conversation("a", 2) } }, MODEL);
    const { hashes } = prompt ?? expect.fail("no prompt");
    expect(countHeld(backend.prefixes, hashes)).toBe(hashes.length);
    for (let failure = 0; failure < 3; failure++) server.api.backends.registry.recordFailure(backend, "unreachable");
    expect(countHeld(backend.prefixes, hashes)).toBe(0);
  });

  test("are not remembered as waiting for a prompt after the answer", async () => {
    await addReplicas();
    for (const stream of [false, true]) await sendChat("a", 1, { stream });
    for (const { prefixes } of server.api.backends.registry.list())
      expect([prefixes.waitingBlocks, prefixes.unanswered.size]).toEqual([0, 0]);
  });
});
