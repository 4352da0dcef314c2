import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChatRequest } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

let server: TestServer;
let caller: Account;
let key: string;

beforeAll(async () => {
  server = await createTestServer();
  await server.addUpstream();
  caller = await server.signUpOnPlan({ concurrency: 4 });
  key = (await server.createKey(caller)).secret;
});
afterAll(async () => {
  await server.removeUpstreams();
  await server.close();
});

test.each([
  ["a list", () => server.call("/v1/models"), 200],
  ["an error", () => server.call("/v1/models/no/such"), 404],
  ["an address that no call has", () => server.call("/api/no-such-call"), 404],
  ["the contract", () => server.call("/api/openapi.json"), 200],
  ["the answer of a model", () => server.call("/v1/chat/completions", { token: key, body: createChatRequest() }), 200],
  ["a refused call of a model", () => server.call("/v1/chat/completions", { token: key, body: { model: 7 } }), 400],
])("%s in JSON ends with one line feed, and its length counts that", async (_, send, status) => {
  const answer = await send();
  expect(answer.status).toBe(status);
  expect(answer.text).toMatch(/[^\n]\n$/);
  expect(JSON.parse(answer.text)).toEqual(expect.anything());
  const length = answer.headers.get("content-length");
  if (length !== null) expect(Number(length)).toBe(Buffer.byteLength(answer.text));
});

test("HEAD names the length that GET sends", async () => {
  const path = `${server.url}/v1/models?per_page=1`;
  const headers = { "accept-encoding": "identity" };
  const head = await fetch(path, { method: "HEAD", headers });
  const got = await fetch(path, { headers });
  const sentText = await got.text();
  expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(sentText)));
});

test("a compressed answer in JSON ends with a line feed", async () => {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(
    "GET /api/openapi.json HTTP/1.0\r\nhost: localhost\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n",
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const received = Buffer.concat(chunks);
  expect(received.toString("latin1")).toMatch(/content-encoding: gzip/i);
  const body = gunzipSync(received.subarray(received.indexOf("\r\n\r\n") + 4)).toString();
  expect(body).toMatch(/\}\n$/);
});

test("an answer without content stays empty", async () => {
  const { secret, id } = await server.createKey(caller);
  expect(secret).not.toBe("");
  const { status, text: sent } = await server.call(`/api/api-keys/${id}`, { method: "DELETE", token: caller.token });
  expect([status, sent]).toEqual([204, ""]);
});

test("the answer to what is no HTTP request ends with a line feed", async () => {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.end("NO HTTP\r\n\r\n");
  expect(await text(socket)).toMatch(/\}\n$/);
});
