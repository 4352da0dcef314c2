import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createChatRequest } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

let server: TestServer;
let owner: Account;
let key: string;
let socket: Socket;
let received: string;
beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUpOnPlan({});
  key = (await server.createKey(owner)).secret;
  await server.addUpstream();
});
beforeEach(async () => {
  received = "";
  socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.on("data", (bytes: Buffer) => {
    received += bytes.toString();
  });
  await once(socket, "connect");
});
afterEach(() => void socket.destroy());
afterAll(() => server.close());

const BODY = JSON.stringify(createChatRequest());

function sendHeaders(token: string, bytes: number, more = ""): void {
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nexpect: 100-continue\r\n` +
      `authorization: Bearer ${token}\r\ncontent-length: ${bytes}\r\n${more}\r\n`,
  );
}

test("a caller who waits for 100 gets it when the body is read, and then the answer", async () => {
  for (let time = 0; time < 2; time++) {
    received = "";
    sendHeaders(key, Buffer.byteLength(BODY));
    await waitFor(() => expect(received).toBe(CONTINUE));
    socket.write(BODY);
    await waitFor(() => expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/));
    await waitFor(() => expect(received).toContain('"finish_reason":"stop"'));
  }
});

test.each<[string, () => void, number, string]>([
  ["without a valid key", () => sendHeaders("rc_wrong", Buffer.byteLength(BODY)), 401, "unauthorized"],
  ["with a body that is too large", () => sendHeaders(key, 1_000_000_000), 413, "payload_too_large"],
  [
    "with a compression that is not taken",
    () => sendHeaders(key, Buffer.byteLength(BODY), "content-encoding: br\r\n"),
    415,
    "unsupported_media_type",
  ],
])(
  "a caller %s gets the refusal instead of 100, and the connection ends with it",
  async (_what, send, status, code) => {
    send();
    await once(socket, "end");
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received).toMatch(/\r\nconnection: close\r\n/i);
    expect(received).toContain(`"code":"${code}"`);
    expect(received).not.toContain("100 Continue");
  },
);
