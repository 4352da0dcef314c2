import { formatCsvLine } from "../../platform/core/csv.ts";

type ReportItem = { group: Record<string, string> } & Record<
  "request_count" | "error_count" | "input_tokens" | "output_tokens",
  number
> & { cost_nano_usd: string };

const FIGURE_COLUMNS = ["request_count", "error_count", "input_tokens", "output_tokens", "cost_nano_usd"] as const;

/** Returns a usage report as RFC 4180 text, with a header line. */
export function formatReportAsCsv(groups: readonly string[], items: readonly ReportItem[]): string {
  const lines = items.map((item) => [
    ...groups.map((name) => item.group[name] ?? ""),
    ...FIGURE_COLUMNS.map((name) => item[name]),
  ]);
  return [[...groups, ...FIGURE_COLUMNS], ...lines].map(formatCsvLine).join("");
}
