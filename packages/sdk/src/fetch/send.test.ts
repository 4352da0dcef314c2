import { sendJson } from "@feather/testing/http-server";
import { expect, test } from "vitest";
import { createFeather } from "../client.ts";
import { ConnectionError, RateLimitError, TimeoutError } from "../errors.ts";
import { startTestClient } from "../testing/client.ts";
import type { Logger, LogLevel } from "./log.ts";
import { sendRequest } from "./send.ts";

const answer = (status: number, headers: Record<string, string> = {}) => new Response("{}", { status, headers });

/** Sends to answers that are given in order, and records the delays. */
function over(answers: (Response | Error)[], random = 0) {
  const waits: number[] = [];
  const options = {
    fetch: async () => {
      const next = answers.shift();
      if (next instanceof Response) return next;
      throw next ?? new Error("nothing left");
    },
    timeout: 1_000,
    maxRetryAfter: 60_000,
    maxRetries: 5,
    log: undefined,
    sleep: async (milliseconds: number) => void waits.push(milliseconds),
    random: () => random,
  };
  return { send: (request = new Request("http://x/api/y")) => sendRequest(options, request, {}), waits };
}
const failure = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
const formatDateIn = (milliseconds: number) => new Date(Date.now() + milliseconds).toUTCString();

test("retry delays double from 0.5 to 8 seconds, with random jitter", async () => {
  const answers = () => [503, 503, 503, 503, 503, 200].map((status) => answer(status));
  const whole = over(answers());
  await whole.send();
  expect(whole.waits).toEqual([500, 1000, 2000, 4000, 8000]);
  const random = over(answers(), 1);
  await random.send();
  expect(random.waits).toEqual([375, 750, 1500, 3000, 6000]);
});

test.each([
  ["milliseconds", { "retry-after-ms": "1234", "retry-after": "9" }, 1234, 1234],
  ["seconds", { "retry-after": "7" }, 7000, 7000],
  ["a date", { "retry-after": formatDateIn(30_000) }, 28_000, 30_000],
  ["a past date", { "retry-after": formatDateIn(-5_000) }, 0, 0],
  ["negative seconds, which count as none,", { "retry-after": "-5" }, 500, 500],
])("a Retry-After in %s is respected", async (_, headers, min, max) => {
  const { send, waits } = over([answer(429, headers), answer(200)]);
  await send();
  expect(waits[0]).toBeGreaterThanOrEqual(min);
  expect(waits[0]).toBeLessThanOrEqual(max);
});

const key = { "idempotency-key": "key_1" };

test.each<[string, string, Record<string, string>, (Response | Error)[], number]>([
  ["a read after a broken connection", "GET", {}, [new TypeError("reset"), answer(200)], 1],
  ["a POST with a key after a broken connection", "POST", key, [new TypeError("reset"), answer(200)], 1],
  ["a POST without a key after a broken connection", "POST", {}, [new TypeError("reset")], 0],
  ["a read after a fault of the server", "GET", {}, [answer(500), answer(200)], 1],
  ["a POST with a key after a fault of the server", "POST", key, [answer(500), answer(200)], 1],
  ["a POST without a key after a fault of the server", "POST", {}, [answer(500)], 0],
  ["a POST without a key that was not begun", "POST", {}, [answer(503), answer(200)], 1],
  ["a POST that the server asks for again", "POST", {}, [answer(500, { "x-should-retry": "true" }), answer(200)], 1],
  ["what the server says is final", "GET", {}, [answer(503, { "x-should-retry": "false" })], 0],
  ["a conflict", "POST", key, [answer(409)], 0],
  ["a certificate that is not accepted", "GET", {}, [failure("SELF_SIGNED_CERT_IN_CHAIN")], 0],
])("decides about a retry: %s", async (_, method, headers, answers, retries) => {
  const { send, waits } = over(answers);
  await send(new Request("http://x/api/y", { method, headers })).catch(() => {});
  expect(waits).toHaveLength(retries);
});

test("a Retry-After of more than a minute throws at once", async () => {
  using server = await startTestClient((_, response) => sendJson(response, 429, {}, { "retry-after": "61" }), {
    maxRetries: 3,
  });
  const error = await server.feather.models.stats().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ retryAfterMs: 61_000 });
});

test("the time limit covers the whole response, and differs from a broken connection", async () => {
  using server = await startTestClient((request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write('{"half":');
    if (request.url.endsWith("popular")) response.destroy();
  });
  await expect(server.feather.models.stats({ timeout: 50 })).rejects.toThrow(TimeoutError);
  const broken = await server.feather.models.popular().catch((reason: unknown) => reason);
  expect(broken).toBeInstanceOf(ConnectionError);
  expect(broken).not.toBeInstanceOf(TimeoutError);
});

test("the time limit begins after what the request asks the server to wait", async () => {
  using server = await startTestClient(async (_, response) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    sendJson(response, 200, {});
  });
  const wait = { timeout: 50, headers: { "x-wait-for-model": "60" } };
  await expect(server.feather.models.stats(wait)).resolves.toEqual({});
  await expect(server.feather.models.stats({ timeout: 50 })).rejects.toThrow(TimeoutError);
});

test.each([301, 307, 308])("a %i redirect keeps the key on the same host only", async (status) => {
  using other = await startTestClient((_, response) => sendJson(response, 200, { from: "other" }));
  using server = await startTestClient((request, response) => {
    if (request.url.endsWith("/here")) return sendJson(response, 200, { from: "here" });
    const target = request.url.endsWith("stats") ? `${other.url.replace("127.0.0.1", "localhost")}/there` : "/here";
    response.writeHead(status, { location: target }).end();
  });
  expect(await server.feather.models.stats()).toEqual({ from: "other" });
  expect(await server.feather.models.popular()).toEqual({ from: "here" });
  expect(await server.feather.GET("/feather/stats")).toMatchObject({ data: { from: "other" } });
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  expect(server.requests.at(-2)?.headers.authorization).toBe("Bearer rc_secret");
});

test("a custom fetch receives a Request and its signal", async () => {
  const requests: Request[] = [];
  const feather = createFeather({
    baseUrl: "http://x",
    apiKey: "rc_1",
    fetch: async (request, init) => {
      requests.push(request);
      expect(init?.signal).toBeInstanceOf(AbortSignal);
      return Response.json({ id: "key_1" });
    },
  });
  await feather.apiKeys.create({ name: "laptop" });
  expect(requests[0]?.url).toBe("http://x/api/api-keys");
  expect(await requests[0]?.text()).toBe('{"name":"laptop"}');
  expect(requests[0]?.headers.get("authorization")).toBe("Bearer rc_1");
});

test.each([204, 205, 304])(
  "a response of status %i with an empty body, as Chrome gives, is sent once",
  async (status) => {
    let sent = 0;
    const feather = createFeather({
      baseUrl: "http://x",
      apiKey: null,
      fetch: async () => {
        sent += 1;
        const response = new Response(null, { status });
        return Object.defineProperty(response, "body", { value: new Blob([]).stream() });
      },
    });
    await feather.apiKeys.delete("key_1").catch(() => {});
    expect(sent).toBe(1);
  },
);

function recorder(): { lines: [string, Record<string, unknown>][]; logger: Logger } {
  const lines: [string, Record<string, unknown>][] = [];
  const at = (level: string) => (_message: string, fields: Record<string, unknown>) => void lines.push([level, fields]);
  return { lines, logger: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") } };
}

test.each<[LogLevel, string[]]>([
  ["debug", ["info", "debug", "warn"]],
  ["info", ["info", "warn"]],
  ["warn", ["warn"]],
  ["error", []],
  ["off", []],
])("level %s logs a retry, a success and a failure as %j", async (logLevel, levels) => {
  const { lines, logger } = recorder();
  using server = await startTestClient(
    (_, response, nth) =>
      sendJson(response, [503, 200, 404][nth - 1] ?? 500, {}, nth === 1 ? { "retry-after-ms": "1" } : {}),
    { logger, logLevel, maxRetries: 1 },
  );
  await server.feather.models.stats();
  await server.feather.models.popular().catch(() => {});
  expect(lines.map(([level]) => level)).toEqual(levels);
});

test("the logger receives no key, no secrets in URLs, and no bodies", async () => {
  const { lines, logger } = recorder();
  using server = await startTestClient((_, response) => sendJson(response, 200, {}), { logger });
  await server.feather.organization.invitations.accept("inv_canary");
  await server.feather.testPayments.page("tok_canary");
  await server.feather.models.stats({ query: { access_token: "oat_canary", page: 2 } });
  await server.feather.auth.login({ email: "a@example.com", password: "pass_canary" });
  const text = JSON.stringify(lines);
  expect(text).not.toMatch(/canary|rc_secret/);
  expect(text).toContain("/invitations/***/accept");
  expect(text).toContain("access_token=***&page=2");
});
