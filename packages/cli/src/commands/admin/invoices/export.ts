import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Query } from "@feather/sdk";
import { formatBytes } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";

type Export = Query<"admin.accounting.export">;

const KINDS = [
  "invoices",
  "payments",
  "refunds",
  "taxes",
  "marketplace_payouts",
] as const satisfies readonly Export["kind"][];

/** Writes a month for accounting as CSV. */
export const invoicesExport: Command<Export & { /** A path, or `-` for stdout. */ readonly file: string }> = {
  name: "admin invoices export",
  summary: "Write a month for accounting as CSV",
  description:
    "Amounts are US dollars, and the month is in UTC. Refunds are credit notes. Taxes are sums by country, rate and reverse charge.",
  flags: [
    { name: "--month <month>", summary: "such as 2026-11" },
    { name: "--kind <kind>", summary: "what is listed; invoices by default", choices: KINDS },
    { name: "-o, --output <file>", summary: "the file; stdout by default" },
  ],
  needs: "admin",
  examples: [
    "feather admin invoices export --month 2026-11 -o invoices.csv",
    "feather admin invoices export --month 2026-11 --kind taxes",
  ],
  options: (_, { month, kind, output: file }) => {
    if (typeof month !== "string") throw new UsageError("a month is missing", "--month 2026-11");
    return {
      month,
      kind: KINDS.find((one) => one === kind) ?? "invoices",
      file: typeof file === "string" ? file : "-",
    };
  },
  async run({ client, output, signal }, { file, ...query }) {
    const { admin } = await client();
    const parts = (await admin.accounting.export(query, { signal }).asResponse()).body ?? [];
    if (file === "-") {
      for await (const part of parts) output.writeBytes(part);
      return;
    }
    const target = createWriteStream(file);
    await pipeline(parts, target);
    output.hint(`${formatBytes(target.bytesWritten)} in ${file}`);
  },
};
