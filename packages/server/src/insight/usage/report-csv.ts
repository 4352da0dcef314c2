type ReportItem = { group: Record<string, string> } & Record<
  "request_count" | "error_count" | "input_tokens" | "output_tokens",
  number
> & { cost_nano_usd: string };

const FIGURE_COLUMNS = ["request_count", "error_count", "input_tokens", "output_tokens", "cost_nano_usd"] as const;

/** Returns a usage report as RFC 4180 text, with a header line. */
export function formatReportAsCsv(groups: readonly string[], items: readonly ReportItem[]): string {
  const lines = items.map((item) => [
    ...groups.map((name) => escapeCell(item.group[name] ?? "")),
    ...FIGURE_COLUMNS.map((name) => String(item[name])),
  ]);
  return [[...groups, ...FIGURE_COLUMNS], ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}

/** Quotes a value. A prefix keeps spreadsheets from running user-controlled text as a formula. */
function escapeCell(text: string): string {
  const escaped = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
