import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startMetricsServer } from "../../start/metrics-server.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const TOKEN = "a-token-for-the-scraper";
const lines: { level: number; msg: string; [field: string]: unknown }[] = [];
let server: TestServer;
let owner: Account;
let key: { id: string; secret: string };

beforeAll(async () => {
  server = await createTestServer({
    env: { FEATHER_METRICS_TOKEN: TOKEN, FEATHER_LOG_REQUESTS: "on" },
    log: pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  });
  await server.addUpstream();
  await server.addUpstream({ fault: { kind: "refuse", status: 500 } }, ["Qwen/Qwen3-4B"]);
  owner = await server.signUpOnPlan({});
  key = await server.createKey(owner);
});
afterAll(() => server.close());

const readMetrics = async () => {
  const { status, headers, text } = await server.call("/metrics", { token: TOKEN });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return text;
};
/** Returns the value of a series; 0 without it. */
const readValue = (text: string, series: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1) ?? 0,
  );
const chat = (model = "feather/demo", more: object = {}) =>
  server.call("/v1/chat/completions", {
    token: key.secret,
    body: { model, messages: [{ role: "user", content: "Hello" }], ...more },
  });

test("serves /metrics only with the token", async () => {
  expect((await server.call("/metrics")).status).toBe(401);
  expect((await server.call("/metrics", { token: "another-token-of-somebody" })).status).toBe(401);
  expect((await server.call("/metrics", { token: owner.token })).status).toBe(401);
});

test("serves no /metrics without a token", async () => {
  const closed = await createTestServer();
  expect((await closed.call("/metrics")).status).toBe(404);
  expect((await closed.call("/metrics", { token: TOKEN })).status).toBe(404);
  await closed.close();
});

test("metrics count calls, their tokens and the time to the first token, with and without Fastify", async () => {
  const calls = 'feather_model_calls_total{model="feather/demo",kind="chat",outcome="completed"}';
  const requests = 'feather_http_requests_total{route="chat.completions.create",status="2xx"}';
  const firstTokens = 'feather_model_time_to_first_token_seconds_count{model="feather/demo",kind="chat"}';
  const output = 'feather_model_tokens_total{model="feather/demo",direction="output"}';
  const before = await readMetrics();
  await chat(); // the first call with a key is Fastify's, the next are answered directly
  await chat("feather/demo", { stream: true });
  await chat("feather/demo", { stream: true });
  const after = await readMetrics();
  expect(readValue(after, calls) - readValue(before, calls)).toBe(3);
  expect(readValue(after, firstTokens) - readValue(before, firstTokens)).toBe(2);
  expect(readValue(after, output)).toBeGreaterThan(readValue(before, output));
  await expect.poll(async () => readValue(await readMetrics(), requests) - readValue(before, requests)).toBe(3);
});

test("metrics count errors by their code, and requests by the class of their status", async () => {
  expect((await chat("nobody/nothing")).status).toBe(404);
  expect((await server.call("/api/models/nothing-here")).status).toBe(404);
  const text = await readMetrics();
  expect(readValue(text, 'feather_http_errors_total{code="model_not_found"}')).toBeGreaterThan(0);
  await expect
    .poll(async () =>
      readValue(await readMetrics(), 'feather_http_requests_total{route="chat.completions.create",status="4xx"}'),
    )
    .toBeGreaterThan(0);
});

test("reports backends, the database, the process and models on this machine", async () => {
  const text = await readMetrics();
  expect(readValue(text, 'feather_backend_up{backend="fake-1"}')).toBe(1);
  expect(readValue(text, "feather_database_query_duration_seconds_count")).toBeGreaterThan(0);
  expect(readValue(text, "process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
  expect(readValue(text, 'feather_host_memory_limit_bytes{runtime="llama.cpp"}')).toBeGreaterThan(0);
  expect(text).toContain('feather_info{version="');
});

test("metrics contain no id of a user, an organization or a key", async () => {
  const text = await readMetrics();
  for (const id of [owner.userId, owner.organizationId, key.id]) expect(text).not.toContain(id);
});

test("logs each request with organization and key, but without its address, where that is wanted", async () => {
  await chat();
  await expect
    .poll(() => lines.filter(({ operation }) => operation === "chat.completions.create"))
    .toContainEqual(
      expect.objectContaining({
        msg: "a request",
        status: 200,
        organization_id: owner.organizationId,
        api_key_id: key.id,
        request_id: expect.stringMatching(/^req_/),
      }),
    );
});

test("logs a backend's failure as a warning without a stack", async () => {
  lines.splice(0);
  expect((await chat("Qwen/Qwen3-4B")).status).toBe(502);
  const line = lines.find(({ code, url }) => code === "upstream_error" && url !== undefined);
  expect(line).toMatchObject({
    level: pino.levels.values.warn,
    organization_id: owner.organizationId,
    api_key_id: key.id,
  });
  expect(lines.filter(({ level, err }) => level > 40 || err !== undefined)).toEqual([]);
});

test("only admins see the state of the server with its last minutes", async () => {
  const admin = await server.signInAdmin();
  await server.runJob("sample operations");
  await chat("feather/demo", { stream: true });
  await server.runJob("sample operations");
  const { status, body } = await server.call("/api/admin/operations", { token: admin.token });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    backends: [
      { name: "fake-1", is_up: true, running_calls: 0 },
      { name: "fake-2", running_calls: 0 },
    ],
    runtimes: [{ name: "llama.cpp" }],
    errors: expect.arrayContaining([expect.objectContaining({ name: "upstream_error" })]),
  });
  const { points } = body as { points: { calls_per_second: number; first_token_p50_ms: number | null }[] };
  expect(points).toHaveLength(1);
  expect(points[0]?.calls_per_second).toBeGreaterThan(0);
  expect(points[0]?.first_token_p50_ms).toBeGreaterThan(0);
  expect((await server.call("/api/admin/operations", { token: owner.token })).status).toBe(404);
  expect((await server.call("/api/admin/operations", { token: key.secret })).status).toBe(404);
});

test("logs slow queries without their values, and slow requests and calls", async () => {
  const slowLines: { msg: string; query?: string }[] = [];
  const slow = await createTestServer({
    env: { FEATHER_SLOW_QUERY: "0.000001", FEATHER_SLOW_REQUEST: "0.000001" },
    log: pino({ level: "info" }, { write: (line: string) => void slowLines.push(JSON.parse(line)) }),
  });
  await slow.addUpstream({ thinkMs: 20 });
  const user = await slow.signUpOnPlan({});
  const { secret } = await slow.createKey(user);
  await slow.call("/v1/chat/completions", {
    token: secret,
    body: { model: "feather/demo", messages: [{ role: "user", content: "Hello" }], stream: true },
  });
  const messages = () => new Set(slowLines.map(({ msg }) => msg));
  await expect.poll(messages).toContain("a slow call to a model");
  expect(messages()).toContain("a slow request");
  expect(messages()).toContain("a slow database query");
  const queries = slowLines.flatMap(({ query }) => query ?? []).join("\n");
  expect(queries).toContain("$1");
  expect(queries).not.toContain(user.email);
  await slow.close();
});

test("metrics are served on a separate port, with the token if one is set", async () => {
  const { renderMetrics, mayReadMetrics } = server.api.operations;
  const open = await startMetricsServer({ port: 0, host: "127.0.0.1", renderMetrics, mayReadMetrics: () => true });
  const guarded = await startMetricsServer({ port: 0, host: "127.0.0.1", renderMetrics, mayReadMetrics });
  const get = (port: number, path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const answer = await get(open.port, "/metrics");
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("# TYPE feather_model_calls_running gauge\n");
  expect((await get(open.port, "/")).status).toBe(404);
  expect((await get(guarded.port, "/metrics")).status).toBe(401);
  expect((await get(guarded.port, "/metrics", { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  await Promise.all([open.close(), guarded.close()]);
});

test("the error names the setting when the port for metrics is taken", async () => {
  const { renderMetrics, mayReadMetrics } = server.api.operations;
  const first = await startMetricsServer({ port: 0, host: "127.0.0.1", renderMetrics, mayReadMetrics });
  const second = startMetricsServer({ port: first.port, host: "127.0.0.1", renderMetrics, mayReadMetrics });
  await expect(second).rejects.toThrow("FEATHER_METRICS_PORT");
  await first.close();
});
