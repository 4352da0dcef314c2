import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, MODEL } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const clock = createTestClock("2026-05-01T12:00:00Z");
const AT = "2026-05-01T12:00:00.000Z";
const TOKENS = ["One", " two", " three"];
let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
});
beforeEach(async () => {
  owner = await server.signUpOnPlan({ concurrency: 8 });
  await keepChats("server");
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

const keepChats = (storage: string) =>
  server.db
    .updateTable("organizations")
    .set({ chat_storage: storage })
    .where("id", "=", owner.organizationId)
    .execute();

let counter = 0;
const CONVERSATION = "00000000-0000-4000-8000-000000000001";
const path = `/api/conversations/${CONVERSATION}`;
const conversation = (more: object = {}) => ({
  version: 0,
  title: "Sorting",
  is_named: false,
  models: [MODEL],
  settings: {},
  selected: {},
  created_at: AT,
  updated_at: AT,
  deleted_at: null,
  ...more,
});
type Saved = { id: string; text: string; saved_at: string; answer: Record<string, unknown> };
const pending = (streamId: string, more: object = {}, fields: object = {}) => ({
  id: "a1",
  kind: "answer",
  text: "",
  created_at: AT,
  saved_at: AT,
  answer: {
    question: "q1",
    lane: 0,
    model: MODEL,
    reasoning: "",
    tool_calls: [],
    state: "streaming",
    finish_reason: null,
    error: null,
    metrics: null,
    receipt: null,
    request_id: null,
    stream_id: streamId,
    ...fields,
  },
  ...more,
});
const put = (body: object, part = "", token = owner.token) => server.call(path + part, { method: "PUT", token, body });
const save = (...items: object[]) => put({ items }, "/entries");
async function saved(): Promise<Saved> {
  const { body } = await server.call(`${path}/entries`, { token: owner.token });
  return (body as { items: Saved[] }).items[0] ?? expect.fail("Nothing is saved.");
}

/** Saves a conversation with an answer that waits for a stream. Returns the headers of its call. */
async function createWaiting(): Promise<Record<string, string>> {
  const streamId = `stream-of-an-answer-${++counter}`;
  expect((await put(conversation())).status).toBe(200);
  expect((await save(pending(streamId))).status).toBe(204);
  return { "x-resumable": "1", "x-stream-id": streamId, "x-save-answer": `${CONVERSATION}/a1` };
}
const ask = (headers: Record<string, string>, more: object = {}, token = owner.token, signal?: AbortSignal) =>
  server.send("/v1/chat/completions", {
    token,
    headers,
    body: createChatRequest({ stream: true, stream_options: { include_usage: true }, ...more }),
    ...(signal && { signal }),
  });

/** Returns a promise and the function that resolves it. */
function createGate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Starts a call whose answer pauses after its first token, and disconnects then. */
async function askAndLeave(headers: Record<string, string>) {
  const gate = createGate();
  await server.addUpstream({ tokens: TOKENS, pauseUntil: gate.opened });
  const caller = new AbortController();
  const response = await ask(headers, {}, owner.token, caller.signal);
  await response.body?.getReader().read();
  caller.abort();
  return { finish: gate.open, requestId: response.headers.get("request-id") };
}
/** Saves an end of the answer as a call does whose stream has ended. */
const finish = (headers: Record<string, string>) =>
  server.api.chats.waitingAnswers.finish(
    { owner, conversationId: CONVERSATION, answerId: "a1", streamId: headers["x-stream-id"] ?? "" },
    {
      text: TOKENS.join(""),
      reasoning: "",
      tool_calls: [],
      state: "done",
      finish_reason: "stop",
      error: null,
      metrics: null,
      request_id: "req_1",
    },
  );
const isState = (state: string) => waitFor(async () => expect((await saved()).answer.state).toBe(state));

describe("the server saves an answer into its conversation", () => {
  test("when it ends after its caller has gone: with its text, its counts and the id of the call", async () => {
    const headers = await createWaiting();
    const { finish, requestId } = await askAndLeave(headers);
    expect((await saved()).answer.state).toBe("streaming");
    clock.at += 5_000;
    finish();
    await isState("done");
    expect(await saved()).toMatchObject({
      text: TOKENS.join(""),
      created_at: AT,
      answer: {
        question: "q1",
        finish_reason: "stop",
        error: null,
        metrics: { prompt_tokens: 7, tokens: 3, total_ms: 5_000 },
        request_id: requestId,
        stream_id: headers["x-stream-id"],
      },
    });
  });

  test("so that other devices hear of it, and the search finds it", async () => {
    const headers = await createWaiting();
    const changes = async (after: number) =>
      (await server.call(`/api/conversations/changes?after=${after}`, { token: owner.token })).body as {
        items: { id: string; updated_at: string }[];
        revision: number;
      };
    const { revision } = await changes(0);
    await server.addUpstream({ tokens: TOKENS });
    await (await ask(headers)).text();
    await isState("done");
    const { items } = await changes(revision);
    expect(items).toMatchObject([{ id: CONVERSATION, updated_at: clock.now().toISOString() }]);
    const found = await server.call("/api/conversations/search?q=three", { token: owner.token });
    expect(found.body).toMatchObject({ items: [{ excerpt: TOKENS.join("") }] });
  });

  test("with its error when the backend breaks off", async () => {
    const headers = await createWaiting();
    await server.addUpstream({ tokens: TOKENS, fault: { kind: "reset", after: 2 } });
    await (await ask(headers)).text();
    await isState("failed");
    expect(await saved()).toMatchObject({ text: "One two", answer: { error: { status: 502 }, finish_reason: null } });
  });

  test("as stopped when somebody stops it", async () => {
    const headers = await createWaiting();
    await askAndLeave(headers);
    await server.call(`/v1/streams/${headers["x-stream-id"]}`, { method: "DELETE", token: owner.token });
    await isState("stopped");
    expect(await saved()).toMatchObject({ text: "One", answer: { error: null } });
  });

  test("but not a refusal that its caller got, so that the call can be sent again", async () => {
    const headers = await createWaiting();
    expect((await ask(headers, { model: "nobody/nothing" })).status).toBe(404);
    expect((await saved()).answer.state).toBe("streaming");
    await server.addUpstream({ tokens: TOKENS });
    await (await ask(headers)).text();
    await isState("done");
  });
});

describe("what a client saves of an answer", () => {
  test("a client that saves the end too replaces what the server saved", async () => {
    const headers = await createWaiting();
    await server.addUpstream({ tokens: TOKENS });
    await (await ask(headers)).text();
    await isState("done");
    const end = { text: "One two three", saved_at: "2026-05-01T12:00:01.000Z" };
    const receipt = { units: 1, prompt_tokens: 7, tokens: 3, is_estimated: false, cost_nano_usd: null };
    await save(pending("", end, { state: "done", stream_id: null, receipt }));
    expect(await saved()).toMatchObject({ ...end, answer: { state: "done", receipt, stream_id: null } });
  });

  test("a state from the middle of the stream that arrives after its end does not replace the end", async () => {
    const headers = await createWaiting();
    await server.addUpstream({ tokens: TOKENS });
    await (await ask(headers)).text();
    await isState("done");
    const late = { text: "One", saved_at: "2026-05-01T12:00:59.000Z" };
    expect((await save(pending(headers["x-stream-id"] ?? "", late))).status).toBe(204);
    expect(await saved()).toMatchObject({ text: TOKENS.join(""), answer: { state: "done" } });
    await save(pending("another-stream-of-it", late)); // it is asked again
    expect(await saved()).toMatchObject({ text: "One", answer: { state: "streaming" } });
  });

  test.each([
    ["a client saved its end", () => save(pending("", { text: "Mine" }, { state: "done", stream_id: null })), "Mine"],
    ["it was asked again", () => save(pending("another-stream-of-it", { text: "Again" })), "Again"],
    ["the organization stopped keeping chats", () => keepChats("browser"), ""],
  ])("the server writes nothing where meanwhile %s", async (_what, change, text) => {
    const headers = await createWaiting();
    await change();
    await finish(headers);
    expect((await saved()).text).toBe(text);
  });

  test("a conversation that was deleted meanwhile stays deleted", async () => {
    const headers = await createWaiting();
    expect((await server.call(path, { method: "DELETE", token: owner.token })).status).toBe(204);
    await finish(headers);
    const rows = await server.db
      .selectFrom("conversation_entries")
      .select("id")
      .where("user_id", "=", owner.userId)
      .execute();
    expect([(await server.call(path, { token: owner.token })).status, rows]).toEqual([404, []]);
  });
});

describe("before a model is asked it is refused to save an answer", () => {
  /** Sends a call and returns how it was refused. No backend may be asked. */
  async function refusalOf(headers: Record<string, string>, token = owner.token, more: object = {}) {
    const upstream = await server.addUpstream({ tokens: TOKENS });
    const response = await ask(headers, more, token);
    expect(upstream.recordedRequests).toEqual([]);
    const { code, param } = errorOf(await response.json());
    return [response.status, code, param];
  }

  test("without a stream, or an id of it that the client chose", async () => {
    const { "x-save-answer": place = "", "x-stream-id": id = "" } = await createWaiting();
    const wrong = [400, "invalid_request", "x-save-answer"];
    expect(await refusalOf({ "x-save-answer": place })).toEqual(wrong);
    expect(await refusalOf({ "x-save-answer": place, "x-resumable": "1" })).toEqual(wrong);
    const malformed = { "x-save-answer": "a/b", "x-resumable": "1", "x-stream-id": id };
    expect((await refusalOf(malformed)).slice(0, 2)).toEqual([400, "invalid_request"]);
  });

  test("that does not wait for the stream, or is in no conversation of the caller", async () => {
    const headers = await createWaiting();
    const none = [404, "conversations.answer_not_found", null];
    expect(await refusalOf({ ...headers, "x-stream-id": "some-other-stream-id" })).toEqual(none);
    expect(await refusalOf({ ...headers, "x-save-answer": `${CONVERSATION}/a2` })).toEqual(none);
    const stranger = await server.signUpOnPlan({ concurrency: 1 });
    await server.db
      .updateTable("organizations")
      .set({ chat_storage: "server" })
      .where("id", "=", stranger.organizationId)
      .execute();
    expect(await refusalOf(headers, stranger.token)).toEqual([404, "conversations.not_found", null]);
    await put(conversation({ version: 1, deleted_at: AT }));
    expect(await refusalOf(headers)).toEqual([404, "conversations.not_found", null]);
  });

  test.each(["browser", "off"])("where the organization keeps chats: %s", async (storage) => {
    const headers = await createWaiting();
    await keepChats(storage);
    expect(await refusalOf(headers)).toEqual([403, "conversations.not_kept", null]);
  });

  test("with a key that may not write chats; one that may saves answers of its person", async () => {
    const headers = await createWaiting();
    const weak = await server.createKey(owner, { scopes: ["api.access"] });
    expect((await refusalOf(headers, weak.secret)).slice(0, 1)).toEqual([403]);
    const key = await server.createKey(owner, { scopes: ["api.access", "chats.write"] });
    expect((await put(conversation({ version: 1 }), "", key.secret)).status).toBe(200);
    await (await ask(headers, {}, key.secret)).text();
    await isState("done");
    expect(errorCode((await put(conversation({ version: 1 }))).body)).toBe("conversations.changed");
  });
});
