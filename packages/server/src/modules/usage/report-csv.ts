type Item = { group: Record<string, string> } & Record<
  "request_count" | "error_count" | "input_tokens" | "output_tokens",
  number
> & { cost_nano_usd: string };

const FIGURES = ["request_count", "error_count", "input_tokens", "output_tokens", "cost_nano_usd"] as const;

/** Returns a usage report as RFC 4180 text, with a header line. */
export function reportAsCsv(groups: readonly string[], items: readonly Item[]): string {
  const lines = items.map((item) => [
    ...groups.map((name) => cell(item.group[name] ?? "")),
    ...FIGURES.map((name) => String(item[name])),
  ]);
  return [[...groups, ...FIGURES], ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}

/** Quotes a value. A prefix keeps spreadsheets from running user-controlled text as a formula. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
