import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChatRequest } from "../../testing/chat.ts";
import { createTestServer, type TestServer } from "../../testing/server.ts";

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await createTestServer();
  key = (await server.createKey(await server.signUpOnPlan({ concurrency: 4 }))).secret;
});
afterAll(() => server.close());

/** Sends lines unchanged, since clients would join headers. Returns the response. */
function sendRaw(head: readonly string[], body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () =>
      socket.write([...head, "Connection: close", `Content-Length: ${body.length}`, "", body].join("\r\n")),
    );
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("error", reject).on("close", () => resolve(answer));
  });
}

const HOST = "Host: localhost";

test.each([
  ["host", [HOST, "HOST: localhost"]],
  ["authorization", [HOST, "Authorization: Bearer a", "authorization: Bearer b"]],
  ["content-type", [HOST, "Content-Type: application/json", "content-type: text/plain"]],
])("refuses a request with two %s headers", async (name, headers) => {
  const answer = await sendRaw(["GET /api/health/live HTTP/1.1", ...headers]);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain(`one ${name} header only`);
  expect(await sendRaw(["GET /api/health/live HTTP/1.1", HOST, "Accept: a", "Accept: b"])).toMatch(/ 200 /);
});

test("refuses a call with a second key, also once the first key is known", async () => {
  await server.addUpstream({ tokens: ["Hi"] });
  const body = JSON.stringify(createChatRequest());
  await server.call("/v1/chat/completions", { token: key, body });
  const headers = [HOST, "Content-Type: application/json", `Authorization: Bearer ${key}`];
  const call = (more: readonly string[]) => sendRaw(["POST /v1/chat/completions HTTP/1.1", ...headers, ...more], body);
  expect(await call([])).toMatch(/^HTTP\/1\.1 200 /);
  expect(await call(["Authorization: Bearer other"])).toMatch(/^HTTP\/1\.1 400 /);
});
