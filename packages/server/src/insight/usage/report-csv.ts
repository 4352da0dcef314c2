import { formatCsvLine } from "../../platform/core/csv.ts";

/** The figures in the report of an organization, in the order of their columns. */
export const ORGANIZATION_FIGURES = [
  "request_count",
  "error_count",
  "input_tokens",
  "output_tokens",
  "cost_nano_usd",
] as const;
/** The figures in the report of all organizations. */
export const PLATFORM_FIGURES = [
  ...ORGANIZATION_FIGURES,
  "provider_cost_nano_usd",
  "margin_nano_usd",
  "unknown_cost_count",
] as const;

type ReportItem<Figure extends string> = { group: Record<string, string> } & Record<Figure, number | string>;

/** Returns a usage report as RFC 4180 text, with a header line. */
export function formatReportAsCsv<Figure extends string>(
  groups: readonly string[],
  items: readonly ReportItem<Figure>[],
  figures: readonly Figure[],
): string {
  const lines = items.map((item) => [
    ...groups.map((name) => item.group[name] ?? ""),
    ...figures.map((name) => item[name]),
  ]);
  return [[...groups, ...figures], ...lines].map(formatCsvLine).join("");
}
