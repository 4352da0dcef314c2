import { METRICS, type MetricDefinition } from "../../../platform/core/metrics/definitions.ts";
import { ALERTS } from "./alerts.ts";

const HEAD = `---
title: Metrics
description: Every metric of the server, its labels, and the alerts that ship with it.
section: Run Feather
order: 8
---

What [/metrics](/docs/operations#prometheus) has. No label ever holds the id of a user, an organization or a key. Models are named as long as there are no more than 100; the others are \`other\`, and private ones \`private\`. Histograms have \`_bucket\`, \`_sum\` and \`_count\` behind their name.

| Metric | Type | Labels | What it says |
| --- | --- | --- | --- |
`;

/** Returns the page of the docs that lists metrics and alerts. */
export function renderMetricsPage(): string {
  const metrics = Object.values<MetricDefinition>(METRICS).map(({ name, type, labels, help }) => {
    const listed = labels.map((label) => `\`${label}\``).join(", ");
    return `| \`${name}\` | ${type} | ${listed} | ${help} |`;
  });
  const alerts = ALERTS.map(
    ({ alert, severity, summary, description }) =>
      `| \`${alert}\` | ${severity} | ${summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, "*$1*")} ${description} |`,
  );
  return `${HEAD}${metrics.join("\n")}

## Alerts

The rules of \`deploy/prometheus/alerts.yaml\`. Their thresholds are starting points.

| Alert | Severity | What it means |
| --- | --- | --- |
${alerts.join("\n")}
`;
}
