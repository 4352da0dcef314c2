import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { streamedText } from "@feather/testing/chat-events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, MODEL } from "../testing/chat.ts";
import { createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let secret: string;

beforeAll(async () => {
  server = await createTestServer();
  await server.addUpstream({ tokens: ["Fé", "dér", " 羽", " 🪶"] });
  ({ secret } = await server.createKey(await server.signUpOnPlan({})));
});
afterAll(() => server.close());

/** Sends the request for a stream in the given version of HTTP. Returns the head and the body of the response unchanged. */
async function readBytes(
  version: string,
  path = "/v1/chat/completions",
  request: object = createChatRequest(),
  onData = () => {},
): Promise<{ head: string; body: string }> {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.once("data", onData);
  const body = JSON.stringify({ ...request, stream: true });
  socket.write(
    `POST ${path} ${version}\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${secret}\r\nconnection: close\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const [head = "", ...rest] = (await text(socket)).split("\r\n\r\n");
  return { head, body: rest.join("\r\n\r\n") };
}

/** Reads a chunked body. Throws if it is incomplete or does not end with the last chunk. */
function readChunks(body: string): string[] {
  const bytes = Buffer.from(body);
  const chunks: string[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    expect(bytes.toString("latin1", end, end + 2)).toBe("\r\n");
    if (size === 0) {
      expect(end + 2).toBe(bytes.length);
      return chunks;
    }
    chunks.push(bytes.toString("utf8", lineEnd + 2, end));
    at = end + 2;
  }
}

describe("a stream on the wire", () => {
  test("a stream on the wire comes in the chunks of HTTP/1.1, with the sizes of their bytes, and the last one ends it", async () => {
    const { head, body } = await readBytes("HTTP/1.1");
    expect(head).toMatch(/^transfer-encoding: chunked$/im);
    const chunks = readChunks(body);
    expect(chunks.length).toBeGreaterThan(1);
    expect(streamedText(chunks.join(""))).toBe("Fédér 羽 🪶");
    expect(chunks.join("")).toMatch(/data: \[DONE\]\n\n$/);
  });

  test("a stream on the wire comes without chunks over HTTP/1.0, and the end of the connection ends it", async () => {
    const { head, body } = await readBytes("HTTP/1.0");
    expect(head).not.toMatch(/^transfer-encoding:/im);
    expect(body).toMatch(/^data: /);
    expect(streamedText(body)).toBe("Fédér 羽 🪶");
    expect(body).toMatch(/data: \[DONE\]\n\n$/);
  });

  test.each([
    ["/v1/messages", { ...createChatRequest(), max_tokens: 20 }],
    ["/v1/responses", { model: MODEL, input: "Hello" }],
  ])("a stream on the wire comes whole in the format of %s", async (path, request) => {
    const { body } = await readBytes("HTTP/1.1", path, request);
    expect(readChunks(body).join("")).toMatch(/"type":"(message_stop|response\.completed)"/);
  });

  test("a stream on the wire ends without its last chunk when the server stops, so that its connection is not used again", async () => {
    let isBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      isBegun = resolve;
    });
    await server.removeUpstreams();
    await server.addUpstream({ tokens: ["Hel", "lo"], pauseUntil: new Promise(() => {}) });
    const answer = readBytes("HTTP/1.1", "/v1/chat/completions", createChatRequest(), isBegun);
    await begun;
    server.api.gateway.running.abortAll();
    const { body } = await answer;
    expect(body).toContain("shutting_down");
    expect(body).not.toMatch(/\r\n0\r\n/);
  });
});
