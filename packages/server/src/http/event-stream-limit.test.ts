import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing/server.ts";
import { createEventStreamLimit } from "./event-stream-limit.ts";

const PATH = "/api/account/concurrency/stream";
const MAX_STREAMS = 32;

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

test("a stream counts until it is closed, and once only", () => {
  const limit = createEventStreamLimit(2);
  const close = limit.open("usr_a");
  limit.open("usr_a");
  expect(() => limit.open("usr_a")).toThrow(/already/);
  limit.open("usr_b");
  close();
  close();
  limit.open("usr_a");
  expect(() => limit.open("usr_a")).toThrow(/already/);
});

test("a user may follow 32 streams at the same time and is answered with 429 above; others are not affected", async () => {
  const user = await server.signUp();
  const other = await server.signUp();
  const streams = new AbortController();
  const open = (token: string) => server.send(PATH, { token, signal: streams.signal });
  const opened: Response[] = []; // kept, since a collected one would close its stream
  for (let count = 0; count < MAX_STREAMS; count++) opened.push(await open(user.token));
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await open(user.token);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  expect((await open(other.token)).status).toBe(200);
  expect((await server.call("/api/account/concurrency", { token: user.token })).status).toBe(200);
  streams.abort();
});
