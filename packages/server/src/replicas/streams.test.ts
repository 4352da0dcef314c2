import { parseEvents, streamedText } from "@feather/testing/chat-events";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createChatRequest, errorOf } from "../testing/chat.ts";
import { createTestReplicas, type TestReplicas } from "../testing/replicas.ts";
import type { Account } from "../testing/server.ts";

const TOKENS = Array.from({ length: 30 }, (_, at) => ` ${at}`);

let replicas: TestReplicas;
let owner: Account;

beforeAll(async () => {
  replicas = await createTestReplicas({ engine: { tokens: TOKENS, delayMs: 20 } });
  await waitFor(() => expect(replicas.other.api.modelHost.host.isWarm("feather/demo")).toBe(true));
});
beforeEach(async () => {
  owner = await replicas.leader.signUpOnPlan({ concurrency: 4 });
});
afterAll(() => replicas.close());

type Server = Pick<TestReplicas["other"], "call" | "send">;
const withoutIds = (text: string) => text.replaceAll(/^id: \d+\n/gm, "");
const follow = ({ call }: Server, id: string, token = owner.token, after = 0) =>
  call(`/v1/streams/${id}?after=${after}`, { token });

/** Starts a call at a replica and disconnects after the first bytes. Returns the id of its stream. */
async function leave({ send }: Server, headers: Record<string, string> = {}): Promise<string> {
  const caller = new AbortController();
  const response = await send("/v1/chat/completions", {
    token: owner.token,
    headers: { "x-resumable": "1", ...headers },
    body: createChatRequest({ stream: true }),
    signal: caller.signal,
  });
  caller.abort();
  return response.headers.get("x-stream-id") ?? expect.fail("It has no id.");
}

test.each([
  ["leader", "other"],
  ["other", "leader"],
] as const)("a stream of the replica %s is read at the replica %s, live and after its end", async (from, at) => {
  const id = await leave(replicas[from]);
  const live = await follow(replicas[at], id);
  expect([live.status, live.headers.get("x-stream-id")]).toEqual([200, id]);
  expect(streamedText(withoutIds(live.text))).toBe(TOKENS.join(""));
  const again = await follow(replicas[at], id, owner.token, 3);
  expect(again.text).toMatch(/^id: 4\n/);
  const stranger = await replicas.leader.signUpOnPlan({ concurrency: 1 });
  expect((await follow(replicas[at], id, stranger.token)).status).toBe(404);
});

test("an id that was used at one replica is refused at the other, also while that one does not answer", async () => {
  const begin = ({ call }: Server, model = "feather/demo") =>
    call("/v1/chat/completions", {
      token: owner.token,
      headers: { "x-resumable": "1", "x-stream-id": "an-answer-with-my-own-id" },
      body: { ...createChatRequest({ stream: true }), model },
    });
  expect((await begin(replicas.leader, "nobody/nothing")).status).toBe(404); // a refused call leaves the id free
  expect((await begin(replicas.other)).status).toBe(200);
  const refused = await begin(replicas.leader);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("a stream with this id already")]);
  replicas.membership.setAddress("leader", "http://127.0.0.1:9"); // nothing listens there
  try {
    expect((await begin(replicas.other)).status).toBe(503);
  } finally {
    replicas.membership.setAddress("leader", replicas.leaderAddress);
  }
});

test("a stream is stopped at another replica", async () => {
  const id = await leave(replicas.leader);
  const reader = follow(replicas.other, id);
  expect((await replicas.other.call(`/v1/streams/${id}`, { method: "DELETE", token: owner.token })).status).toBe(204);
  const last = parseEvents(withoutIds((await reader).text)).at(-1) ?? "{}";
  expect(errorOf(JSON.parse(last))).toMatchObject({ code: "request_stopped" });
});

test.each(["leader", "other"] as const)("the replica %s saves the answers that it runs for all of them", async (at) => {
  await replicas.leader.db
    .updateTable("organizations")
    .set({ chat_storage: "server" })
    .where("id", "=", owner.organizationId)
    .execute();
  const time = "2026-11-30T08:00:00.000Z";
  const id = "00000000-0000-4000-8000-000000000001";
  const path = `/api/conversations/${id}`;
  const { other, leader } = replicas;
  const put = (body: object, part = "") => other.call(path + part, { method: "PUT", token: owner.token, body });
  const fields = { title: "", is_named: false, models: [], settings: {}, selected: {}, deleted_at: null };
  await put({ version: 0, ...fields, created_at: time, updated_at: time });
  const answer = {
    ...{ question: "q1", lane: 0, model: "feather/demo", reasoning: "", tool_calls: [], finish_reason: null },
    ...{ error: null, metrics: null, receipt: null, request_id: null },
    ...{ state: "streaming", stream_id: "the-stream-of-an-answer" },
  };
  await put({ items: [{ id: "a1", kind: "answer", text: "", created_at: time, saved_at: time, answer }] }, "/entries");
  await leave(replicas[at], { "x-stream-id": "the-stream-of-an-answer", "x-save-answer": `${id}/a1` });
  await waitFor(async () => {
    const { body } = await leader.call(`${path}/entries`, { token: owner.token });
    expect(body).toMatchObject({ items: [{ text: TOKENS.join(""), answer: { state: "done" } }] });
  });
});

test("streams that no replica has are not found", async () => {
  const { status, body } = await follow(replicas.other, "req_unknown");
  expect([status, errorOf(body).code]).toEqual([404, "streams.not_found"]);
});

test("while a replica does not answer, its readers are asked to try again; once it is gone, its streams are not found", async () => {
  const id = await leave(replicas.leader);
  replicas.membership.setAddress("leader", "http://127.0.0.1:9"); // nothing listens there
  try {
    for (const method of ["GET", "DELETE"]) {
      const { status, body, headers } = await replicas.other.call(`/v1/streams/${id}`, { method, token: owner.token });
      expect([status, errorOf(body).code, headers.get("retry-after")]).toEqual([503, "unavailable", "2"]);
    }
    replicas.membership.setAddress("leader", null);
    const gone = await follow(replicas.other, id);
    expect([gone.status, errorOf(gone.body).code]).toEqual([404, "streams.not_found"]);
  } finally {
    replicas.membership.setAddress("leader", replicas.leaderAddress);
  }
});

test("the connection of a reader ends when the replica that has the stream is gone", async () => {
  const id = await leave(replicas.leader);
  const response = await replicas.other.send(`/v1/streams/${id}`, { token: owner.token });
  const text = response.text();
  await replicas.killLeaderListener();
  await expect(text).rejects.toThrow();
});
