import { formatEvent } from "@feather/testing/chat-events";
import { createTestClock } from "@feather/testing/clock";
import { type HttpServer, startHttpServer } from "@feather/testing/http-server";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createChatRequest, errorOf } from "../../testing/chat.ts";
import type { Account, TestServer } from "../../testing/server.ts";
import { createTwoServers, type TwoServers } from "../../testing/two-servers.ts";

const clock = createTestClock("2026-05-01T12:00:00Z");
let servers: TwoServers;
let server: TestServer;
let admin: Account;
let caller: Account;

beforeAll(async () => {
  servers = await createTwoServers({ clock, env: { FEATHER_OUTGOING_ALLOW: "127.0.0.1" } });
  server = servers.a;
  admin = await server.signInAdmin();
  caller = await server.signUpOnPlan({ concurrency: null });
});
afterAll(() => servers.close());

type Key = { id: string; label: string; state: string; resumes_at: string | null; error: string | null };
type Backend = { id: string; keys: Key[]; last_error: string | null };
/** What a provider answers to a key. */
type KeyAnswer = { status: number; headers?: Record<string, string>; message?: string };

const BACKENDS = "/api/admin/backends";
const byAdmin = (path: string, method?: string, body?: object) =>
  server.call(`${BACKENDS}${path}`, { token: admin.token, ...(method && { method }), ...(body && { body }) });
const addKey = (id: string, body: object) => {
  clock.at += 1; // keys are listed in the order in which they were added
  return byAdmin(`/${id}/keys`, "POST", body);
};
const keysOf = async (id: string) => ((await byAdmin(`/${id}`)).body as Backend).keys;
const stateOf = async (id: string) => (await keysOf(id)).map(({ label, state }) => `${label} ${state}`);
const chat = (more: object = {}, on: Pick<TestServer, "call"> = server) =>
  on.call("/v1/chat/completions", { token: caller.token, body: createChatRequest({ model: "me/keyed", ...more }) });

/** Starts a provider whose answers depend on the key; a key without an answer is accepted. */
async function startProvider(answers: Record<string, KeyAnswer> = {}) {
  const provider = await startHttpServer(({ method, url, headers }, response) => {
    const key = String(headers.authorization).replace("Bearer ", "");
    const { status, message, headers: answered = {} } = answers[key] ?? { status: 200 };
    const isList = method === "GET" && url.endsWith("/models");
    if (status !== 200 && !(isList && status === 429))
      return response
        .writeHead(status, { "content-type": "application/json", ...answered })
        .end(JSON.stringify({ error: { message } }));
    const body = isList
      ? { object: "list", data: [{ id: "me/keyed" }] }
      : { choices: [{ index: 0, message: { role: "assistant", content: key }, finish_reason: "stop" }] };
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  onTestFinished(() => provider.close());
  return provider;
}

/** Adds a backend with these keys, which are also their labels. */
async function addBackend(provider: HttpServer, keys: readonly string[], weights: readonly number[] = []) {
  const made = await byAdmin("", "POST", { name: "keyed", base_url: `${provider.url}/v1`, models: ["me/keyed"] });
  const { id } = made.body as Backend;
  for (const [index, key] of keys.entries()) {
    const added = await addKey(id, { key, label: key, weight: weights[index] ?? 1 });
    expect(added.status).toBe(201);
  }
  onTestFinished(async () => void (await byAdmin(`/${id}`, "DELETE")));
  return id;
}

/** Returns the keys with which the provider was called, in order. */
const calledWith = ({ requests }: HttpServer) =>
  requests.flatMap(({ method, headers }) => (method === "POST" ? String(headers.authorization).slice(7) : []));

describe("calls to a backend with several keys", () => {
  test("calls are spread over the keys of a backend by weight", async () => {
    const provider = await startProvider();
    await addBackend(provider, ["one", "two"], [1, 3]);
    for (let call = 0; call < 8; call++) expect((await chat()).status).toBe(200);
    expect(calledWith(provider).toSorted()).toEqual(["one", "one", "two", "two", "two", "two", "two", "two"]);
  });

  test("a key at its limit rests as long as the provider says, while the others answer", async () => {
    const provider = await startProvider({ one: { status: 429, headers: { "retry-after": "20" } } });
    const id = await addBackend(provider, ["one", "two"]);
    for (let call = 0; call < 4; call++) expect((await chat()).status).toBe(200);
    expect(calledWith(provider)).toEqual(["one", "two", "two", "two", "two"]);
    expect(await keysOf(id)).toMatchObject([
      { label: "one", state: "resting", resumes_at: new Date(clock.at + 20_000).toISOString() },
      { label: "two", state: "ready", resumes_at: null },
    ]);
    clock.at += 20_000;
    await chat();
    await chat();
    expect(calledWith(provider).slice(5)).toContain("one");
  });

  test("a call is refused with the end of the first rest while all keys are at their limit", async () => {
    const provider = await startProvider({
      one: { status: 429, headers: { "retry-after": "90" } },
      two: { status: 429 },
    });
    await addBackend(provider, ["one", "two"]);
    const [first, second] = [await chat(), await chat()];
    for (const answer of [first, second]) {
      expect([answer.status, errorOf(answer.body).code]).toEqual([429, "rate_limit_exceeded"]);
      expect(answer.headers.get("retry-after")).toBe("30");
    }
    expect(calledWith(provider)).toEqual(["one", "two"]);
    clock.at += 30_000;
    expect((await chat()).headers.get("retry-after")).toBe("60");
    expect(calledWith(provider)).toEqual(["one", "two", "two"]);
  });

  test.each([
    ["expired", { status: 401, message: "invalid" }, "It does not accept the key (status 401)."],
    [
      "without credit",
      { status: 429, message: "You exceeded your current quota: insufficient_quota" },
      "The account has no credit left, or has reached its limit of spending (status 429).",
    ],
    [
      "whose account has to be paid",
      { status: 402, message: "pay" },
      "The account has no credit left, or has reached its limit of spending (status 402).",
    ],
    ["without permission", { status: 403, message: "no access" }, "The key may not do this (status 403)."],
  ])("a key %s is named to admins, and the other keys answer", async (_what, answer, error) => {
    const provider = await startProvider({ bad: answer });
    const id = await addBackend(provider, ["bad", "good"]);
    for (let call = 0; call < 3; call++) expect((await chat()).status).toBe(200);
    expect(calledWith(provider).filter((key) => key === "bad")).toHaveLength(1);
    expect(await keysOf(id)).toMatchObject([
      { label: "bad", state: "refused", error, resumes_at: new Date(clock.at + 600_000).toISOString() },
      { label: "good", state: "ready", error: null },
    ]);
  });

  test("a refusal of a prompt lets no key rest", async () => {
    const flagged = { status: 403, message: "Your input was flagged by moderation" };
    const unclear = { status: 403, message: "no" };
    const provider = await startProvider({ one: flagged, two: unclear, three: unclear });
    const id = await addBackend(provider, ["one"]);
    expect((await chat()).status).toBe(502);
    for (const key of ["two", "three"]) await addKey(id, { key, label: key });
    await byAdmin(`/${id}/keys/${(await keysOf(id))[0]?.id}`, "DELETE");
    expect((await chat()).status).toBe(502);
    expect(await stateOf(id)).toEqual(["two ready", "three ready"]);
  });

  test("keys that are all refused are tried again with each call, so that a repaired account answers at once", async () => {
    const answers: Record<string, KeyAnswer> = { one: { status: 402, message: "pay" } };
    const provider = await startProvider(answers);
    await addBackend(provider, ["one"]);
    expect((await chat()).status).toBe(502);
    answers.one = { status: 200 };
    expect((await chat()).status).toBe(200);
  });
});

test("a backend that fails again and again says until when it is left alone", async () => {
  const provider = await startProvider({ one: { status: 500, message: "broken" } });
  const id = await addBackend(provider, ["one"]);
  expect((await byAdmin(`/${id}`)).body).toMatchObject({ state: "unreachable", resumes_at: null });
  for (let call = 0; call < 3; call++) expect((await chat()).status).toBe(502);
  const resumes_at = new Date(clock.at + 10_000).toISOString();
  expect((await byAdmin(`/${id}`)).body).toMatchObject({ state: "cooling_down", resumes_at });
});

describe("changing the keys of a backend", () => {
  test("a key is removed while 50 streams run with it, which end normally", async () => {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    onTestFinished(() => finish());
    const chunk = (delta: object, finish_reason: string | null) =>
      formatEvent({ choices: [{ index: 0, delta, finish_reason }] });
    const provider = await startHttpServer(async ({ method }, response) => {
      if (method === "GET") return response.end(JSON.stringify({ object: "list", data: [{ id: "me/keyed" }] }));
      response.writeHead(200, { "content-type": "text/event-stream" }).write(chunk({ content: "Hello" }, null));
      await finished;
      return response.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
    });
    onTestFinished(() => provider.close());
    const id = await addBackend(provider, ["one", "two"]);
    const streams = Array.from({ length: 50 }, () => chat({ stream: true }));
    await waitFor(() => expect(calledWith(provider)).toHaveLength(50));
    const [removed] = await keysOf(id);
    expect((await byAdmin(`/${id}/keys/${removed?.id}`, "DELETE")).status).toBe(204);
    const later = chat({ stream: true });
    await waitFor(() => expect(calledWith(provider)).toHaveLength(51));
    expect(calledWith(provider).at(-1)).toBe("two");
    finish();
    for (const { text } of await Promise.all([...streams, later])) expect(text).toContain("data: [DONE]");
  });

  test("two servers that add keys at the same time keep each label once, and no more keys than allowed", async () => {
    const id = await addBackend(await startProvider(), []);
    const add = (index: number, label: string) =>
      (index % 2 === 0 ? servers.a : servers.b).call(`${BACKENDS}/${id}/keys`, {
        token: admin.token,
        body: { key: `sk-${index}`, label },
      });
    const same = await Promise.all(Array.from({ length: 6 }, (_, index) => add(index, "same")));
    expect(same.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
    const many = await Promise.all(Array.from({ length: 24 }, (_, index) => add(index, `key-${index}`)));
    expect(many.filter(({ status }) => status === 201)).toHaveLength(19);
    expect(await keysOf(id)).toHaveLength(20);
  });

  test("another server calls with a key as soon as it is added, and not after it is removed", async () => {
    const provider = await startProvider({ old: { status: 401, message: "expired" } });
    const id = await addBackend(provider, ["old"]);
    await servers.settled();
    await waitFor(async () => expect((await chat({}, servers.b)).status).toBe(502));
    await addKey(id, { key: "new", label: "new" });
    await servers.settled();
    await waitFor(async () => expect((await chat({}, servers.b)).status).toBe(200));
    const [old] = await keysOf(id);
    await byAdmin(`/${id}/keys/${old?.id}`, "DELETE");
    await servers.settled();
    await waitFor(async () => {
      const before = calledWith(provider).length;
      expect((await chat({}, servers.b)).status).toBe(200);
      expect(calledWith(provider).slice(before)).toEqual(["new"]);
    });
  });

  test("a server of an earlier version always finds one of the keys, and replaces all of them with the one that it sets", async () => {
    const id = await addBackend(await startProvider(), ["one", "two"]);
    const column = async () =>
      (await server.db.selectFrom("backends").select("sealed_api_key").where("id", "=", id).executeTakeFirst())
        ?.sealed_api_key;
    const [one] = await keysOf(id);
    expect(await column()).not.toBeNull();
    await byAdmin(`/${id}/keys/${one?.id}`, "DELETE");
    const two = await column();
    expect(two).not.toBeNull();
    expect(await stateOf(id)).toEqual(["two ready"]);
    await addKey(id, { key: "three" });
    expect(await stateOf(id)).toEqual(["two ready", "key 2 ready"]);
    await byAdmin(`/${id}`, "PUT", { api_key: "four" });
    expect(await stateOf(id)).toEqual(["key 1 ready"]);
    await byAdmin(`/${id}`, "PUT", { api_key: null });
    expect([await column(), await stateOf(id)]).toEqual([null, []]);
  });

  test("a change of the backend brings no key back that is removed at the same time", async () => {
    const id = await addBackend(await startProvider(), ["one", "two"]);
    const [one] = await keysOf(id);
    const changes = Array.from({ length: 5 }, (_, index) => byAdmin(`/${id}`, "PUT", { weight: index + 1 }));
    await Promise.all([...changes, byAdmin(`/${id}/keys/${one?.id}`, "DELETE")]);
    expect(await stateOf(id)).toEqual(["two ready"]);
  });

  test("shows the last characters of a long key, and nothing else of it", async () => {
    const id = await addBackend(await startProvider(), ["sk-0123456789abcd"]);
    const { text, body } = await byAdmin(`/${id}`);
    expect((body as Backend).keys).toMatchObject([{ last_characters: "abcd" }]);
    await addKey(id, { key: "sk-short", label: "short" });
    expect(await keysOf(id)).toMatchObject([{}, { last_characters: "" }]);
    expect(text.replaceAll('"label":"sk-0123456789abcd"', "")).not.toContain("0123456789");
  });

  test.each([
    ["a key of no backend", "/bck_none/keys", { key: "x" }, 404],
    ["a key of an engine", "/engine/keys", { key: "x" }, 404],
  ])("rejects %s", async (_what, path, body, status) => {
    expect((await byAdmin(path, "POST", body)).status).toBe(status);
  });

  test("a key gets another label and weight, and keeps its rest", async () => {
    const provider = await startProvider({ one: { status: 429, headers: { "retry-after": "60" } } });
    const id = await addBackend(provider, ["one", "two"], [1000, 1]);
    await chat();
    const [key] = await keysOf(id);
    const changed = await byAdmin(`/${id}/keys/${key?.id}`, "PUT", { label: " team a ", weight: 3 });
    expect([changed.status, changed.body]).toMatchObject([200, { label: "team a", weight: 3, state: "resting" }]);
    expect((await byAdmin(`/${id}/keys/${key?.id}`, "PUT", { weight: 2 })).body).toMatchObject({ label: "team a" });
    expect(await stateOf(id)).toEqual(["team a resting", "two ready"]);
    await chat();
    expect(calledWith(provider)).toEqual(["one", "two", "two"]);
  });

  test("rejects a label that another key has, a change of nothing, and one of a key that the backend does not have", async () => {
    const id = await addBackend(await startProvider(), ["one", "two"]);
    const [key] = await keysOf(id);
    const change = (keyId: string | undefined, body: object) => byAdmin(`/${id}/keys/${keyId}`, "PUT", body);
    const taken = await change(key?.id, { label: "two" });
    expect([taken.status, taken.body]).toMatchObject([
      409,
      { message: "The backend has a key of this label already." },
    ]);
    expect((await change(key?.id, {})).status).toBe(400);
    expect((await change("bky_none", { weight: 2 })).status).toBe(404);
    expect(await stateOf(id)).toEqual(["one ready", "two ready"]);
  });

  test("rejects the removal of a key that the backend does not have", async () => {
    const id = await addBackend(await startProvider(), ["one"]);
    expect((await byAdmin(`/${id}/keys/bky_none`, "DELETE")).status).toBe(404);
  });
});
