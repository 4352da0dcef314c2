import { expect, test } from "vitest";
import { METRICS } from "./definitions.ts";
import { renderPrometheus } from "./exposition.ts";
import { Histogram, quantileOf, sumSeries, toSeries } from "./series.ts";
import { type CountedCall, TrafficCounters } from "./traffic-counters.ts";

const CALL: CountedCall = {
  model_id: "owner/name",
  kind: "chat",
  outcome: "completed",
  streamed: true,
  prompt_tokens: 7,
  completion_tokens: 20,
  cached_tokens: 2,
  queued_ms: 3,
  first_byte_ms: 80,
  duration_ms: 1_200,
};
const linesOf = (text: string, name: string) => text.split("\n").filter((line) => line.startsWith(name));

test("renders counts of calls by model, kind and outcome", () => {
  const counters = new TrafficCounters();
  counters.countCall(CALL);
  counters.countCall({ ...CALL, outcome: "failed", first_byte_ms: null });
  const text = renderPrometheus(counters.snapshot());
  expect(linesOf(text, "feather_model_calls_total")).toEqual([
    'feather_model_calls_total{model="owner/name",kind="chat",outcome="completed"} 1',
    'feather_model_calls_total{model="owner/name",kind="chat",outcome="failed"} 1',
  ]);
  expect(text).toContain('feather_model_tokens_total{model="owner/name",direction="output"} 40\n');
  expect(text).toContain(
    'feather_model_time_to_first_token_seconds_bucket{model="owner/name",kind="chat",le="0.05"} 0\n',
  );
  expect(text).toContain(
    'feather_model_time_to_first_token_seconds_bucket{model="owner/name",kind="chat",le="0.1"} 1\n',
  );
  expect(text).toContain(
    'feather_model_time_to_first_token_seconds_bucket{model="owner/name",kind="chat",le="+Inf"} 1\n',
  );
  expect(text).toContain('feather_model_call_duration_seconds_sum{model="owner/name",kind="chat"} 2.4\n');
  expect(text).toContain("feather_model_call_queue_seconds_count 2\n");
});

test("counts the time to the first token of streamed calls only", () => {
  const counters = new TrafficCounters();
  counters.countCall({ ...CALL, streamed: false });
  expect(renderPrometheus(counters.snapshot())).toContain(
    'feather_model_time_to_first_token_seconds_count{model="owner/name",kind="chat"} 0\n',
  );
});

test("gives no private model a name, and counts models beyond a hundred together", () => {
  const counters = new TrafficCounters();
  counters.countCall({ ...CALL, model_id: "org_4fJqM1t9Zk:owner/secret" });
  counters.countCall({ ...CALL, model_id: "org_2222222222:owner/secret" });
  for (let index = 0; index < 150; index++) counters.countCall({ ...CALL, model_id: `owner/model-${index}` });
  const text = renderPrometheus(counters.snapshot());
  expect(text).not.toContain("secret");
  expect(text).not.toContain("org_");
  expect(text).toContain('feather_model_calls_total{model="private",kind="chat",outcome="completed"} 2\n');
  expect(text).toContain('feather_model_calls_total{model="other",kind="chat",outcome="completed"} 51\n');
  expect(linesOf(text, "feather_model_calls_total")).toHaveLength(101);
});

test("counts requests by route and class of status, and those whose caller left", () => {
  const counters = new TrafficCounters();
  counters.countRequest("models.list", 200, 0.01);
  counters.countRequest("models.list", 204, 0.3);
  counters.countRequest("models.list", 404, 0.01);
  counters.countRequest("models.list", 0, null);
  counters.countError("not_found");
  const text = renderPrometheus(counters.snapshot());
  expect(linesOf(text, "feather_http_requests_total")).toEqual([
    'feather_http_requests_total{route="models.list",status="aborted"} 1',
    'feather_http_requests_total{route="models.list",status="2xx"} 2',
    'feather_http_requests_total{route="models.list",status="4xx"} 1',
  ]);
  expect(text).toContain('feather_http_request_duration_seconds_count{route="models.list"} 3\n');
  expect(text).toContain('feather_http_errors_total{code="not_found"} 1\n');
});

test("adds up the counts of several threads by name and labels", () => {
  const threads = [new TrafficCounters(), new TrafficCounters()];
  for (const counters of threads) counters.countCall(CALL);
  threads[1]?.countRequest("models.list", 200, 0.01);
  const sum = sumSeries(threads.map((counters) => structuredClone(counters.snapshot())));
  const text = renderPrometheus(sum);
  expect(text).toContain('feather_model_calls_total{model="owner/name",kind="chat",outcome="completed"} 2\n');
  expect(text).toContain('feather_model_call_duration_seconds_count{model="owner/name",kind="chat"} 2\n');
  expect(text).toContain('feather_http_requests_total{route="models.list",status="2xx"} 1\n');
});

test("estimates quantiles like Prometheus", () => {
  const histogram = new Histogram("querySeconds");
  expect(quantileOf(histogram.snapshot(), 0.5)).toBeNull();
  for (let index = 0; index < 100; index++) histogram.observe(0.03);
  expect(quantileOf(histogram.snapshot(), 0.5)).toBeCloseTo(0.0375);
  for (let index = 0; index < 900; index++) histogram.observe(100);
  expect(quantileOf(histogram.snapshot(), 0.95)).toBe(5);
});

test("escapes the values of labels", () => {
  const text = renderPrometheus([toSeries("backendUp", 1, 'a"b\\c\nd')]);
  expect(text).toContain('feather_backend_up{backend="a\\"b\\\\c\\nd"} 1\n');
});

test("names each metric once, with the unit at its end and without labels that identify anybody", () => {
  const definitions = Object.values(METRICS);
  expect(new Set(definitions.map(({ name }) => name)).size).toBe(definitions.length);
  for (const { name, type, labels } of definitions) {
    expect(name).toMatch(/^(feather|process|nodejs)_[a-z0-9_]+$/);
    expect(name.endsWith("_total"), name).toBe(type === "counter");
    for (const label of labels)
      expect(
        ["route", "status", "code", "model", "kind", "outcome", "direction", "backend", "runtime", "state"].concat(
          "job",
          "result",
          "version",
        ),
      ).toContain(label);
  }
});
