import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { createBodyBudget, declaredBodyBytes } from "./body-budget.ts";

const MEGABYTE = 1024 * 1024;

describe("the bodies of an organization", () => {
  test("the bodies of an organization are refused beyond the common limit, and accepted again once others were received", () => {
    const budget = createBodyBudget(100);
    const leave = budget.reserve("a", 60);
    budget.reserve("a", 40);
    expect(() => budget.reserve("a", 1)).toThrow(expect.objectContaining({ status: 429, code: "rate_limit_exceeded" }));
    budget.reserve("b", 100);
    leave();
    leave();
    budget.reserve("a", 60);
    expect(() => budget.reserve("a", 1)).toThrow("too many large requests");
  });

  test("the bodies of an organization count with their content-length, or with the body limit without one", () => {
    expect(declaredBodyBytes({ headers: { "content-length": "10" } }, 100)).toBe(10);
    expect(declaredBodyBytes({ headers: { "content-length": "1000" } }, 100)).toBe(100);
    expect(declaredBodyBytes({ headers: { "transfer-encoding": "chunked" } }, 100)).toBe(100);
    expect(declaredBodyBytes({ headers: {} }, 100)).toBe(0);
  });
});

describe("a server that receives large requests", () => {
  let server: TestServer;
  let caller: Account;
  let other: Account;
  beforeAll(async () => {
    server = await createTestServer();
    caller = await server.signUp();
    other = await server.signUp();
  });
  afterAll(() => server.close());

  /** Announces a body of 14 MB without sending it, so that it counts as being received until the request ends. */
  function announce({ token }: Account) {
    const request = httpRequest(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "content-length": String(14 * MEGABYTE),
      },
    });
    const refused = new Promise<number | undefined>((resolve) => {
      request.on("response", (response) => resolve(response.statusCode));
      request.on("error", () => resolve(undefined));
    });
    request.flushHeaders();
    return { refused, end: () => request.destroy() };
  }

  test("a server that receives large requests refuses more than 64 MiB of one organization at a time before they are sent, and accepts those of others", async () => {
    const pending = Array.from({ length: 5 }, () => announce(caller));
    // Four bodies fit. The order of arrival decides which one does not.
    expect(await Promise.race(pending.map(({ refused }) => refused))).toBe(429);
    const { status } = await server.call("/v1/chat/completions", { token: other.token, body: {} });
    expect(status).toBe(400);
    for (const { end } of pending) end();
  });
});
