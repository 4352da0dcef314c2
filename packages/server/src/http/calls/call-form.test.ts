import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { MODEL } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

let server: TestServer;
let caller: Account;

beforeAll(async () => {
  server = await createTestServer();
  caller = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const LIMIT_BYTES = 27_262_976;
const FORM = "multipart/form-data; boundary=x";
const part = (disposition: string, value: string) =>
  `--x\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
const FIELDS = part('name="model"', MODEL);
const FILE = part('name="file"; filename="a.mp3"', "ID3");

/** Opens a request for a transcription, whose body is still to be sent. */
function open(headers: OutgoingHttpHeaders) {
  return httpRequest(`${server.url}/v1/audio/transcriptions`, {
    method: "POST",
    headers: { authorization: `Bearer ${caller.token}`, ...headers },
  }).on("error", () => {});
}

async function send(body: string, type: string | null = FORM): Promise<{ status: number | undefined; text: string }> {
  const request = open(type === null ? {} : { "content-type": type });
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  for await (const piece of response.setEncoding("utf8")) text += piece;
  return { status: response.statusCode, text };
}

describe("a form with a file", () => {
  test.each([
    [
      "that is cut in the file",
      FIELDS + part('name="file"; filename="a.mp3"', "ID3").slice(0, -2),
      "ends in the middle",
    ],
    [
      "that is cut in a field",
      `${FILE}--x\r\ncontent-disposition: form-data; name="model"\r\n\r\nQw`,
      "ends in the middle",
    ],
    ["that is cut in a header", `${FILE}--x\r\ncontent-dispo`, "ends in the middle"],
    ["without an end", FIELDS + FILE, "ends in the middle"],
    ["without a body", "", "ends in the middle"],
    ["that is no form", '{"model":"a/b"}', "ends in the middle"],
    ["without parts", "--x--\r\n", "Send the file"],
    ["whose parts have no names", `${part('filename="a.mp3"', "ID3")}--x--\r\n`, "file"],
  ])("a form %s is refused with 400", async (_what, body, message) => {
    const { status, text } = await send(body);
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });

  test.each([
    ["a form without a boundary", "multipart/form-data", 400, "boundary"],
    ["JSON", "application/json", 415, "multipart/form-data"],
    ["a URL-encoded form", "application/x-www-form-urlencoded", 415, "multipart/form-data"],
    ["no content type", null, 415, "multipart/form-data"],
  ])("%s is refused", async (_what, type, expected, message) => {
    const { status, text } = await send(`${FIELDS + FILE}--x--\r\n`, type);
    expect([status, text]).toEqual([expected, expect.stringContaining(message)]);
  });

  test("a form that says that it is too large is refused with 413 before any of it is sent", async () => {
    const request = open({ "content-type": FORM, "content-length": LIMIT_BYTES + 1 });
    request.flushHeaders();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    request.destroy();
  });

  test("a form in chunks is refused with 413 once it is too large, before its end", async () => {
    const request = open({ "content-type": FORM, "transfer-encoding": "chunked" });
    request.write(FIELDS + FILE.slice(0, -2));
    for (let sent = 0; sent <= LIMIT_BYTES; sent += 1024 * 1024) request.write(Buffer.alloc(1024 * 1024));
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    request.destroy();
  });

  test("a caller who leaves in the middle of a form sends nothing to the backend, and the next one is answered", async () => {
    const rawAnswer = { contentType: "application/json", body: '{"text":"Hello"}' };
    const upstream = await server.addUpstream({ rawAnswer });
    const request = open({ "content-type": FORM, "content-length": 1_000 });
    await new Promise((resolve) => request.write(FIELDS, resolve));
    request.destroy();
    expect(await send(`${FIELDS + FILE}--x--\r\n`)).toMatchObject({
      status: 200,
      text: expect.stringContaining("Hello"),
    });
    expect(upstream.recordedRequests).toHaveLength(1);
  });

  test("the files of running calls count for what an organization sends at the same time, until the calls end", async () => {
    const mayGoOn = Promise.withResolvers<void>();
    const rawAnswer = { contentType: "application/json", body: '{"text":"Hello"}' };
    const upstream = await server.addUpstream({ rawAnswer, thinkUntil: mayGoOn.promise });
    const { token } = await server.signUpOnPlan({ concurrency: 8 });
    const hear = (bytes: number) => {
      const body = new FormData();
      body.append("model", MODEL);
      body.append("file", new File([Buffer.alloc(bytes, 1)], "a.mp3"));
      return server.call("/v1/audio/transcriptions", { token, body });
    };
    const running = [hear(25 * 2 ** 20), hear(25 * 2 ** 20)];
    await waitFor(() => expect(upstream.active()).toBe(2));
    expect([(await hear(25 * 2 ** 20)).status, upstream.active()]).toEqual([429, 2]);
    mayGoOn.resolve();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await hear(25 * 2 ** 20)).status).toBe(200);
  });

  test("what follows the end of a form is passed over", async () => {
    await server.addUpstream({ rawAnswer: { contentType: "application/json", body: '{"text":"Hello"}' } });
    expect((await send(`${FIELDS + FILE}--x--\r\nmore`)).status).toBe(200);
  });
});
