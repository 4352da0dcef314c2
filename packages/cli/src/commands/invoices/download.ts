import { writeFile } from "node:fs/promises";
import { formatBytes } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalText } from "../../flags.ts";

type DownloadOptions = { readonly id: string /** A path, or `-` for stdout. */; readonly output?: string };

/** Writes an invoice or a credit note to a PDF file. */
export const invoicesDownload: Command<DownloadOptions> = {
  name: "invoices download",
  summary: "Write an invoice or a credit note to a PDF file",
  description: "The file is named after the number, unless -o says otherwise. A file of that name is replaced.",
  arguments: [{ name: "<invoice>", summary: "id of the invoice or credit note" }],
  flags: [{ name: "-o, --output <file>", summary: "the file; - for stdout" }],
  needs: "sign-in",
  examples: [
    "feather invoices download inv_4fJqM1t9Zk",
    "feather invoices download inv_4fJqM1t9Zk -o - > november.pdf",
  ],
  options: ([id = ""], flags) => ({ id, ...optionalText("output", flags.output) }),
  async run({ client, output, signal }, { id, output: path }) {
    if (path === "-" && output.tty) throw new UsageError("a PDF is not written to a terminal", "-o invoice.pdf");
    const { invoices, creditNotes } = await client();
    const documents = id.startsWith("crn_") ? creditNotes : invoices;
    const [{ number }, pdf] = await Promise.all([documents.get(id, { signal }), documents.pdf(id, { signal })]);
    const bytes = new Uint8Array(await pdf.arrayBuffer());
    if (path === "-") return output.writeBytes(bytes);
    const file = path ?? `${number}.pdf`;
    await writeFile(file, bytes);
    output.hint(`${formatBytes(bytes.length)} in ${file}`);
  },
};
