import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createServer } from "../server.ts";
import { createChatRequest } from "../testing/chat.ts";
import { createTestServer, type TestServer } from "../testing/server.ts";
import { drain } from "./drain.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ env: { FEATHER_SHUTDOWN_DELAY: "600" } });
});
afterAll(() => server.close());

test("a stopping server is not ready at once, and accepts requests until the shutdown delay is over", async () => {
  const app = await createServer(server.platform);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const statusOf = async (path: string) => (await fetch(address + path)).status;
  expect(await statusOf("/api/health/ready")).toBe(200);
  const forced = new AbortController();
  const drained = drain(app, server.platform, forced.signal);
  expect([await statusOf("/api/health/ready"), await statusOf("/api/health/live")]).toEqual([503, 200]);
  forced.abort();
  await drained;
  await expect(fetch(address)).rejects.toThrow();
});

test("a connection whose answer began before the stop takes one more request after it, and ends with its answer", async () => {
  const stopping = await createTestServer();
  onTestFinished(() => stopping.close());
  const gate = Promise.withResolvers<void>();
  await stopping.addUpstream({ tokens: ["Well", "."], pauseUntil: gate.promise });
  const { secret } = await stopping.createKey(await stopping.signUpOnPlan({ concurrency: 1 }));
  const app = await createServer(stopping.platform);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const chat = async () => {
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const call = request(`${address}/v1/chat/completions`, { method: "POST", agent, headers });
    call.end(JSON.stringify(createChatRequest({ stream: true })));
    const [response] = (await once(call, "response")) as [IncomingMessage];
    return { response, isReused: call.reusedSocket };
  };

  const first = await chat();
  expect(first.response.headers.connection).toBe("keep-alive");
  const drained = drain(app, stopping.platform, new AbortController().signal);
  await waitFor(() => expect(app.server.listening).toBe(false));
  gate.resolve();
  expect(await text(first.response)).toContain("[DONE]");

  const second = await chat();
  expect([second.isReused, second.response.headers.connection]).toEqual([true, "close"]);
  expect(await text(second.response)).toContain("[DONE]");
  await drained;
});

test("a connection that was made before the listener closed takes its first request after it", async () => {
  const stopping = await createTestServer();
  onTestFinished(() => stopping.close());
  const app = await createServer(stopping.platform);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const connected = once(app.server, "connection");
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await connected;

  const drained = drain(app, stopping.platform, new AbortController().signal);
  await waitFor(() => expect(app.server.listening).toBe(false));
  socket.write("GET /api/health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/^connection: close\r$/im);
  await drained;
});

test.each([
  ["to its end", "600", (open: () => void) => open(), "completed"],
  ["until the drain timeout", "0.5", () => {}, "interrupted"],
] as const)(
  "a resumable call whose caller has gone goes on %s while the server stops",
  async (_until, timeout, go, outcome) => {
    const stopping = await createTestServer({ env: { FEATHER_DRAIN_TIMEOUT: timeout } });
    onTestFinished(() => stopping.close());
    const gate = Promise.withResolvers<void>();
    const upstream = await stopping.addUpstream({ tokens: ["Well", "."], pauseUntil: gate.promise });
    const { token } = await stopping.signUpOnPlan({ concurrency: 1 });
    const caller = new AbortController();
    const response = await stopping.send("/v1/chat/completions", {
      token,
      headers: { "x-resumable": "1" },
      body: createChatRequest({ stream: true }),
      signal: caller.signal,
    });
    caller.abort();
    const app = await createServer(stopping.platform);
    await app.listen({ port: 0, host: "127.0.0.1" });
    const drained = drain(app, stopping.platform, new AbortController().signal);
    await waitFor(() => expect(app.server.listening).toBe(false));
    expect(upstream.active()).toBe(1);
    go(gate.resolve);
    await drained;
    const row = await stopping.usageRow(response.headers.get("request-id") ?? "");
    expect(row?.outcome).toBe(outcome);
  },
);
