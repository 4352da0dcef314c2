import { parseEvents } from "@feather/testing/chat-events";
import { errorCode } from "@feather/testing/errors";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createChatRequest, errorOf } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUpOnPlan({ concurrency: 1 });
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const CONCURRENCY = "/api/account/concurrency";
const stop = (id: string, token: string) => server.call(`${CONCURRENCY}/${id}`, { method: "DELETE", token });
const chat = (token: string, more: object = {}, headers: Record<string, string> = {}) =>
  server.call("/v1/chat/completions", { token, body: createChatRequest(more), headers });
type RunningRequest = { id: string; output_tokens: number | null; is_own: boolean };
/** Returns the running request of the owner, once there is one. */
async function findRunning(token = owner.token) {
  const list = async () => {
    const { body } = await server.call(CONCURRENCY, { token });
    return (body as { requests: RunningRequest[] }).requests;
  };
  await expect.poll(async () => (await list()).length).toBe(1);
  return (await list())[0] ?? expect.fail("It has ended.");
}

test("a caller stops a streamed answer: it ends with an error, its units are free, and its tokens count", async () => {
  const upstream = await server.addUpstream({ delayMs: 20, tokens: Array<string>(10_000).fill("x") });
  const answer = chat(owner.token, { stream: true });
  const { id } = await findRunning();
  await expect.poll(async () => (await findRunning()).output_tokens ?? 0).toBeGreaterThan(0);
  expect((await stop(id, owner.token)).status).toBe(204);
  expect(errorOf(JSON.parse(parseEvents((await answer).text).at(-1) ?? "{}"))).toMatchObject({
    code: "request_stopped",
  });
  await waitFor(() => expect([server.api.gateway.units.totalInUse(), upstream.active()]).toEqual([0, 0]));
  await server.api.gateway.usageWriter.flush();
  const row = await server.usageRow(id);
  expect(row).toMatchObject({ outcome: "aborted", error_code: "request_stopped" });
  expect(Number(row?.completion_tokens)).toBeGreaterThan(0);
});

test("a caller stops an answer that is not streamed, and gets 400 and no hint to try again", async () => {
  await server.addUpstream({ thinkMs: 60_000 });
  const answer = chat(owner.token);
  const { id, output_tokens } = await findRunning();
  expect(output_tokens).toBe(null);
  expect((await stop(id, owner.token)).status).toBe(204);
  const { status, body, headers } = await answer;
  expect([status, errorOf(body).code, headers.get("x-should-retry")]).toEqual([400, "request_stopped", "false"]);
});

test("a request cannot be stopped by another account or by another key of the same person", async () => {
  await server.addUpstream({ thinkMs: 60_000 });
  const [first, second] = [await server.createKey(owner), await server.createKey(owner)];
  const other = await server.signUpOnPlan({ concurrency: 1 });
  const answer = chat(first.secret);
  const { id } = await findRunning();
  for (const token of [other.token, second.secret]) {
    const refused = await stop(id, token);
    expect([refused.status, errorCode(refused.body)]).toEqual([404, "concurrency.not_found"]);
  }
  expect(await findRunning(second.secret)).toMatchObject({ is_own: false });
  expect(await findRunning(first.secret)).toMatchObject({ is_own: true });
  expect((await stop(id, first.secret)).status).toBe(204);
  expect(errorOf((await answer).body).code).toBe("request_stopped");
  expect((await stop(id, first.secret)).status, "after it has ended").toBe(404);
});
