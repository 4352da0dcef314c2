import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing/server.ts";
import { MAX_DEPTH, MAX_PROPERTIES, MAX_VALUES, refuseComplexJson } from "./json-body.ts";

/** Makes a body long enough to be counted, without adding properties or values. */
const PADDING = "p".repeat(64 * 1024);
const nested = (depth: number) => `${"[".repeat(depth - 1)}"${PADDING}"${"]".repeat(depth - 1)}`;
const properties = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(",")}}`;
const items = (count: number) => `[${Array(count).fill(0).join(",")}]`;

describe("a body of JSON", () => {
  test.each([
    ["depth", nested(MAX_DEPTH + 1), nested(MAX_DEPTH + 2)],
    ["properties", properties(MAX_PROPERTIES), properties(MAX_PROPERTIES + 1)],
    ["items", items(MAX_VALUES), items(MAX_VALUES + 1)],
  ])("a body of JSON has a bound on its %s", (_what, largest, tooLarge) => {
    expect(() => refuseComplexJson(largest)).not.toThrow();
    expect(() => refuseComplexJson(tooLarge)).toThrow(/at most/);
  });

  test("a body of JSON may hold any characters in its strings, also escaped quotes", () => {
    const text = '[{,:\\"'.repeat(MAX_VALUES);
    expect(() => refuseComplexJson(JSON.stringify({ [text]: `${text}\\` }))).not.toThrow();
    expect(() => refuseComplexJson(`"\\\\"${nested(MAX_DEPTH + 2)}`)).toThrow(/nested/);
  });

  test("a body of JSON that ends within a string is left to the parser", () => {
    expect(() => refuseComplexJson(`{"${PADDING}\\"`)).not.toThrow();
  });
});

describe("a call with too complex a body", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());

  test("a call with too complex a body is refused with 400 and an error of ours, and reaches no model", async () => {
    const key = await server.createKey(await server.signUpOnPlan({}));
    const upstream = await server.addUpstream();
    for (const content of [nested(MAX_DEPTH + 2), properties(MAX_PROPERTIES + 1), items(MAX_VALUES + 1)]) {
      const body = `{"model":"feather/demo","messages":[{"role":"user","content":"Hello","extra":${content}}]}`;
      const refused = await server.call("/v1/chat/completions", { token: key.secret, body });
      expect([refused.status, errorCode(refused.body)]).toEqual([400, "invalid_request"]);
    }
    expect(upstream.recordedRequests).toHaveLength(0);
  });
});
