import { Writable } from "node:stream";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ERROR_TRANSLATIONS, translateText } from "../config/translations.ts";
import { errors } from "../platform/core/errors/index.ts";
import { createTestServer, type TestServer } from "../testing/server.ts";
import { createErrorReport } from "./error-report.ts";

type Line = { level: number; msg: string; err?: object; code?: string; reason?: string };

let lines: Line[];
let server: TestServer;
beforeEach(async () => {
  lines = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  server = await createTestServer({ log: pino({ level: "debug" }, sink) });
});
afterEach(() => server.close());

test("a temporary refusal is logged as a line rather than an error with a stack", async () => {
  server.platform.storageHealth.recordFailure();
  expect((await server.call("/api/health/ready")).status).toBe(503);
  const line = lines.find(({ code }) => code === "unavailable");
  expect(line).toMatchObject({ level: pino.levels.values.info });
  expect(line).not.toHaveProperty("err");
});

test.each(["starting", "draining"] as const)(
  "a probe of a server that is %s is logged for debugging only",
  async (state) => {
    server.platform.lifecycle[state] = true;
    expect((await server.call("/api/health/ready")).status).toBe(503);
    expect(lines.find(({ code }) => code === "unavailable")).toMatchObject({ level: pino.levels.values.debug });
  },
);

const CAUSE = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 10.0.0.5:443") });

test.each([
  ["the hub, which has a line of its own", errors.hub.unavailable("No hub.", { cause: CAUSE }), "debug"],
  ["an answer of the hub", errors.hub.invalidResponse({ expected: "JSON" }, { cause: CAUSE }), "warn"],
  ["another server", errors.unavailable("No answer.", { cause: CAUSE }), "warn"],
])("a refusal for want of %s is logged with its reason and without a stack", (_, error, level) => {
  const report = createErrorReport({
    onStorageFailure: () => {},
    traffic: { countError: () => {} },
    lifecycle: { starting: false, draining: false },
    translations: { byCode: ERROR_TRANSLATIONS, translateText },
  });
  const request = { id: "req_1", url: "/x", bodyLimit: undefined, acceptLanguage: undefined };
  report(error, { ...request, log: pino({ level: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) }) });
  const [line] = lines.slice(-1);
  expect(line).toMatchObject({
    level: pino.levels.values[level],
    reason: "fetch failed: connect ECONNREFUSED 10.0.0.5:443",
  });
  expect(line).not.toHaveProperty("err");
});
