import Fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { matchesETag, withETag } from "./etag.ts";

const app = Fastify();
let answer: object = { models: ["a"] };
app.get("/", (request, reply) => withETag(request, reply, answer));
afterAll(() => app.close());

async function request(headers: Record<string, string> = {}) {
  const { statusCode, headers: received, body } = await app.inject({ url: "/", headers });
  return { status: statusCode, etag: String(received.etag), headers: received, body };
}

test("an answer has a weak ETag, and is cached for its caller only", async () => {
  const { etag, headers } = await request();
  expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
  expect(headers).toMatchObject({ "cache-control": "private, no-cache", vary: "authorization, cookie" });
});

test("a client that has the answer gets 304 without it", async () => {
  const { etag } = await request();
  const again = await request({ "if-none-match": etag });
  expect([again.status, again.body, again.etag]).toEqual([304, "", etag]);
});

test("a client that has another answer gets the current one", async () => {
  const { etag } = await request();
  answer = { models: ["a", "b"] };
  const changed = await request({ "if-none-match": etag });
  expect(changed.status).toBe(200);
  expect(changed.etag).not.toBe(etag);
});

test("the time of a check, which changes each time, does not change the ETag, but is sent", async () => {
  answer = { state: "up", checked_at: "2026-03-01T12:00:00Z", parts: [{ checked_at: 1 }] };
  const { etag } = await request();
  answer = { state: "up", checked_at: "2026-03-01T12:00:05Z", parts: [{ checked_at: 2 }] };
  const later = await request();
  expect(later.etag).toBe(etag);
  expect(later.body).toContain("12:00:05");
  answer = { state: "down", checked_at: "2026-03-01T12:00:05Z", parts: [] };
  expect((await request({ "if-none-match": etag })).status).toBe(200);
});

test.each([
  [undefined, false],
  ["", false],
  ["*", true],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", W/"abc" ,"y"', true],
  ['"x"', false],
  ["abc", false],
  ['"abcd"', false],
])("whether If-None-Match %j has the answer: %s", (header, matches) => {
  expect(matchesETag(header, 'W/"abc"')).toBe(matches);
});
