import { parseEvents } from "@feather/testing/chat-events";
import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const clock = createTestClock();
let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer({
    clock,
    env: { FEATHER_FIRST_BYTE_TIMEOUT: "60", FEATHER_STREAM_IDLE_TIMEOUT: "60" },
  });
  owner = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const checkKeys = async () => {
  const job = server.platform.jobs.find(({ name }) => name === "end calls of keys that no longer hold");
  await job?.run();
};

describe("a running call", () => {
  const change = (id: string, body: object) =>
    server.call(`/api/api-keys/${id}`, { method: "PUT", token: owner.token, body });

  test.each<[string, string, (id: string) => Promise<unknown>]>([
    ["deleted", "unauthorized", (id) => server.call(`/api/api-keys/${id}`, { method: "DELETE", token: owner.token })],
    ["switched off", "key_disabled", (id) => change(id, { disabled: true })],
    [
      "expired",
      "key_expired",
      async (id) => {
        await change(id, { expires_at: new Date(clock.at + 60_000).toISOString() });
        clock.at += 61_000;
      },
    ],
  ])("ends with an error when its key is %s", async (_what, code, endKey) => {
    const upstream = await server.addUpstream({ delayMs: 60_000 });
    const { id, secret } = await server.createKey(owner);
    const streamed = server.call("/v1/chat/completions", { token: secret, body: createChatRequest({ stream: true }) });
    const whole = server.call("/v1/chat/completions", { token: secret, body: createChatRequest() });
    const other = new AbortController();
    const session = server
      .send("/v1/chat/completions", {
        token: owner.token,
        body: createChatRequest({ stream: true }),
        signal: other.signal,
      })
      .then((response) => response.text())
      .catch(() => "gone");
    await waitFor(() => expect(server.api.gateway.running.count()).toBe(3));
    await waitFor(() => expect(upstream.active()).toBe(3));
    await checkKeys();
    expect(server.api.gateway.running.count(), "a key that holds").toBe(3);
    await endKey(id);
    await checkKeys();
    expect(errorOf(JSON.parse(parseEvents((await streamed).text).at(-1) ?? "{}"))).toMatchObject({ code });
    const refused = await whole;
    expect([refused.status, errorOf(refused.body).code]).toEqual([401, code]);
    expect(server.api.gateway.running.count(), "calls with another credential go on").toBe(1);
    other.abort();
    await session;
    await waitFor(() => expect(upstream.active()).toBe(0));
  });
});
