import { parser } from "@prometheus-io/lezer-promql";
import { expect, test } from "vitest";
import { METRICS, type MetricDefinition, type MetricId, metricOf } from "../../../platform/core/metrics/definitions.ts";
import { ALERTS } from "./alerts.ts";
import { ROWS } from "./dashboard.ts";
import { overInterval } from "./queries.ts";

const graphs = ROWS.flatMap((row) => row.graphs);
const queries = [
  ...graphs.flatMap(({ targets }) => targets.map(({ expr }) => overInterval(expr, "1m"))),
  ...ALERTS.map(({ expr }) => expr),
];
/** Names that queries may use. */
const names = new Set(
  Object.values<MetricDefinition>(METRICS).flatMap(({ name, type }) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);

/** Returns the metrics and labels in a query, and the mistakes that it has. */
function parse(query: string) {
  const found = { metrics: [] as string[], labels: [] as string[], mistakes: [] as string[] };
  parser.parse(query).iterate({
    enter: ({ type, from, to }) => {
      const text = query.slice(from, to);
      if (type.isError) found.mistakes.push(`${query} at ${from}`);
      if (type.name === "Identifier") found.metrics.push(text);
      if (type.name === "LabelName") found.labels.push(text);
    },
  });
  return found;
}

test("queries are valid PromQL, and name metrics of the list and their labels only", () => {
  expect(queries.length).toBeGreaterThan(40);
  for (const query of queries) {
    const { metrics, labels, mistakes } = parse(query);
    expect(mistakes).toEqual([]);
    expect(metrics.length).toBeGreaterThan(0);
    for (const metric of metrics) expect(names).toContain(metric);
    const known = Object.values<MetricDefinition>(METRICS)
      .filter(({ name }) => metrics.some((metric) => metric.startsWith(name)))
      .flatMap((definition) => definition.labels);
    for (const label of labels) expect([...known, "le"], query).toContain(label);
  }
});

test("reports a mistake in a query", () => {
  expect(parse("sum(rate(feather_info[1m])").mistakes).not.toEqual([]);
});

test("shows every metric on the dashboard", () => {
  const shown = new Set(graphs.flatMap(({ metrics }) => metrics));
  expect(Object.keys(METRICS).filter((id) => !shown.has(id as MetricId))).toEqual([]);
});

test("names labels in legends and messages that the metrics have", () => {
  const listLabels = (text: string) =>
    [...text.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g)].map(([, label]) => label);
  for (const { title, metrics, targets } of graphs)
    for (const { legend } of targets)
      for (const label of listLabels(legend))
        expect(
          metrics.flatMap((id) => metricOf(id).labels),
          title,
        ).toContain(label);
  for (const { alert, expr, summary } of ALERTS)
    for (const label of listLabels(summary)) {
      const [name] = parse(expr).metrics;
      const metric = Object.values<MetricDefinition>(METRICS).find((definition) => definition.name === name);
      expect(metric?.labels, alert).toContain(label);
    }
});
