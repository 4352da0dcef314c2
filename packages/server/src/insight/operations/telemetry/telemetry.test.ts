import { execFileSync } from "node:child_process";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSettings } from "../../../config/settings.ts";
import { createTestServer, type TestServer } from "../../../testing/server.ts";
import { loadTelemetry } from "./load-telemetry.ts";
import type { Telemetry } from "./telemetry.ts";

type Value = {
  stringValue?: string;
  intValue?: number;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: Value[] };
};
type Attribute = { key: string; value: Value };
type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  status: { code?: number };
};
type ReceivedMetric = {
  name: string;
  unit: string;
  sum?: { isMonotonic: boolean; dataPoints: { asDouble: number; attributes: Attribute[] }[] };
  gauge?: { dataPoints: object[] };
  histogram?: {
    dataPoints: { count: number; bucketCounts: number[]; explicitBounds: number[]; attributes: Attribute[] }[];
  };
};
type Export = {
  resourceSpans?: { resource: { attributes: Attribute[] }; scopeSpans: { spans: ReceivedSpan[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: ReceivedMetric[] }[] }[];
};

/**
 * Starts a fake collector, according to the specification of OTLP/HTTP: it accepts JSON at `/v1/traces` and `/v1/metrics`
 * and answers each request with an empty success.
 */
async function startCollector() {
  const received: { path: string; headers: IncomingHttpHeaders; body: Export; text: string }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString("utf8");
    received.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) as Export, text });
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: () =>
      received
        .flatMap(({ body }) => body.resourceSpans ?? [])
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    metrics: () =>
      received
        .flatMap(({ body }) => body.resourceMetrics ?? [])
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const log = pino({ level: "silent" });
const SECRET_PROMPT = "a prompt that nobody may read";
const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
let collector: Awaited<ReturnType<typeof startCollector>>;
let telemetry: Telemetry;
let server: TestServer;
const backendHeaders: string[] = [];

const toSettings = (env: Record<string, string>) => readSettings(env, "/nonexistent").telemetry;
const read = (span: { attributes: Attribute[] }, key: string) => {
  const value = span.attributes.find((attribute) => attribute.key === key)?.value;
  return value?.arrayValue
    ? value.arrayValue.values.map(({ stringValue }) => stringValue)
    : (value?.stringValue ?? value?.intValue ?? value?.doubleValue ?? value?.boolValue);
};

beforeAll(async () => {
  collector = await startCollector();
  const loaded = await loadTelemetry(
    toSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=a%20key",
      OTEL_SERVICE_NAME: "feather-of-ours",
      FEATHER_TRACE_CONTEXT: "pass",
    }),
    { version: "9.9.9", log },
  );
  if (loaded === null) throw new Error("Nothing was loaded.");
  telemetry = loaded;
  server = await createTestServer({ tracing: telemetry.tracing });
  telemetry.startMetrics(server.api.operations.readMetrics);
  const upstream = await server.addUpstream();
  await server.addUpstream({ fault: { kind: "refuse", status: 500 } }, ["Qwen/Qwen3-4B"]);
  const owner = await server.signUpOnPlan({});
  const { secret } = await server.createKey(owner);
  const chat = (model: string, more: object = {}, headers: Record<string, string> = {}) =>
    server.call("/v1/chat/completions", {
      token: secret,
      headers,
      body: { model, messages: [{ role: "user", content: SECRET_PROMPT }], ...more },
    });
  await chat("feather/demo", {}, { traceparent: TRACEPARENT }); // Fastify's
  await chat("feather/demo", { stream: true, max_tokens: 20 }, { traceparent: TRACEPARENT }); // answered directly
  await chat("Qwen/Qwen3-4B");
  await chat("nobody/nothing");
  await server.call("/api/feather/models");
  backendHeaders.push(...upstream.recordedRequests.map(({ headers }) => String(headers.traceparent)));
  await server.api.gateway.usageWriter.flush();
  await server.close();
  await telemetry.stop();
});
afterAll(() => collector.close());

test("sends OTLP to the paths of the specification, with the configured headers and the name of the server", () => {
  expect(new Set(collector.received.map(({ path }) => path))).toEqual(new Set(["/v1/traces", "/v1/metrics"]));
  for (const { headers } of collector.received) expect(headers["x-collector-key"]).toBe("a key");
  const [first] = collector.received.flatMap(({ body }) => body.resourceSpans ?? []);
  expect(first && read(first.resource, "service.name")).toBe("feather-of-ours");
  expect(first && read(first.resource, "service.version")).toBe("9.9.9");
});

test("traces request, call and backend, below the caller's span", () => {
  const spans = collector.spans().filter(({ traceId }) => traceId === TRACE_ID);
  const requests = spans.filter(({ name }) => name === "POST /api/v1/chat/completions");
  const calls = spans.filter(({ name }) => name === "chat feather/demo");
  const backends = spans.filter(({ name }) => name === "POST /chat/completions");
  expect([requests.length, calls.length, backends.length]).toEqual([2, 2, 2]);
  for (const request of requests) {
    expect(request).toMatchObject({ parentSpanId: "00f067aa0ba902b7", kind: 2 });
    expect(read(request, "http.response.status_code")).toBe(200);
    expect(read(request, "feather.request.id")).toMatch(/^req_/);
  }
  expect(calls.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(requests.map(({ spanId }) => spanId).sort());
  expect(backends.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(calls.map(({ spanId }) => spanId).sort());
});

test("describes calls by the conventions for generative AI", () => {
  const streamed = collector.spans().find((span) => read(span, "gen_ai.request.stream") === true);
  const expected = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "feather",
    "gen_ai.request.model": "feather/demo",
    "gen_ai.request.max_tokens": 20,
    "gen_ai.response.model": "feather/demo",
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.usage.input_tokens": expect.any(Number),
    "gen_ai.usage.output_tokens": expect.any(Number),
    "gen_ai.response.time_to_first_chunk": expect.any(Number),
  };
  for (const [key, value] of Object.entries(expected)) expect(streamed && read(streamed, key), key).toEqual(value);
});

test("marks calls that failed, and those that were refused", () => {
  const failed = collector.spans().find(({ name }) => name === "chat Qwen/Qwen3-4B");
  expect(failed?.status.code).toBe(2);
  expect(failed && read(failed, "error.type")).toBe("upstream_error");
  const refused = collector.spans().find(({ name }) => name === "chat nobody/nothing");
  expect(refused && read(refused, "error.type")).toBe("model_not_found");
});

test("passes the trace on to the backend where that is configured", () => {
  const backends = collector.spans().filter(({ traceId, kind }) => traceId === TRACE_ID && kind === 3);
  expect(backendHeaders.sort()).toEqual(backends.map(({ spanId }) => `00-${TRACE_ID}-${spanId}-01`).sort());
});

test("sends no prompt, no answer and no key", () => {
  const text = collector.received.map((one) => one.text).join("\n");
  expect(text).not.toContain(SECRET_PROMPT);
  expect(text).not.toMatch(/\brc_[0-9A-Za-z]{30,}/);
});

test("sends the metrics of the list, with the conventions' names for calls to models", () => {
  const metrics = collector.metrics();
  const duration = metrics.findLast(({ name }) => name === "gen_ai.server.request.duration");
  const point = duration?.histogram?.dataPoints.find((one) => read(one, "gen_ai.request.model") === "feather/demo");
  expect(duration?.unit).toBe("s");
  expect(Number(point?.count)).toBe(2);
  expect(point && read(point, "gen_ai.operation.name")).toBe("chat");
  expect(point?.bucketCounts).toHaveLength((point?.explicitBounds.length ?? 0) + 1);
  expect(metrics.some(({ name }) => name === "gen_ai.server.time_to_first_token")).toBe(true);
  expect(metrics.findLast(({ name }) => name === "feather_http_requests")?.sum?.isMonotonic).toBe(true);
  expect(metrics.find(({ name }) => name === "feather_model_calls_running")?.gauge?.dataPoints).toHaveLength(1);
});

test("loads nothing without a collector, nor with both exports turned off", async () => {
  expect(await loadTelemetry(toSettings({}), { version: "1", log })).toBeNull();
  const off = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_EXPORTER: "none",
    OTEL_METRICS_EXPORTER: "none",
  };
  expect(await loadTelemetry(toSettings(off), { version: "1", log })).toBeNull();
});

test("each trace starts new, and backends get no trace context, unless that is configured", async () => {
  const settings = toSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const own = await loadTelemetry(settings, { version: "1", log });
  const span = own?.tracing?.startRequest("GET", "/api/feather/models", { traceparent: TRACEPARENT });
  expect(span?.startChild("POST /chat/completions", "client", {}).traceparent()).toBeNull();
  span?.end();
  await own?.stop();
  const sent = collector
    .spans()
    .find(({ name, traceId }) => name === "GET /api/feather/models" && traceId !== TRACE_ID);
  expect(sent?.parentSpanId || undefined).toBeUndefined();
});

test.each([
  "",
  "00-0-0-01",
  `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
  `01-${TRACE_ID}-00f067aa0ba902b7-01`,
  "x".repeat(100),
])("an invalid traceparent is ignored: %s", async (traceparent) => {
  const settings = toSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, FEATHER_TRACE_CONTEXT: "pass" });
  const own = await loadTelemetry(settings, { version: "1", log });
  const passed = own?.tracing?.startRequest("GET", "/x", { traceparent }).startChild("y", "client", {}).traceparent();
  expect(passed).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(passed).not.toContain(TRACE_ID);
  await own?.stop();
});

test("refuses a protocol that is not here, by the name of the setting", () => {
  expect(() => toSettings({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toThrow("OTEL_EXPORTER_OTLP_PROTOCOL");
});

test("does not import OpenTelemetry with the server", () => {
  const watch = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith("@opentelemetry/")) console.log("imported " + name);
      return next(name, context);
    } });
    await import(${JSON.stringify(new URL("../../../start/platform.ts", import.meta.url).href)});
    console.log("done");`;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", watch], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    encoding: "utf8",
  });
  expect(output).toBe("done\n");
});
