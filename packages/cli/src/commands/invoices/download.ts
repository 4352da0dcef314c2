import { writeFile } from "node:fs/promises";
import { formatBytes } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalText } from "../../flags.ts";

type DownloadOptions = {
  readonly id: string;
  readonly format: "pdf" | "xml";
  /** A path, or `-` for stdout. */
  readonly output?: string;
};

/** Writes an invoice or a credit note to a file. */
export const invoicesDownload: Command<DownloadOptions> = {
  name: "invoices download",
  summary: "Write an invoice or a credit note to a file",
  description:
    "A PDF, or the e-invoice beside it (UBL or XRechnung), where the operator issues them. The file is named after the number, unless -o says otherwise. A file of that name is replaced.",
  arguments: [{ name: "<invoice>", summary: "id of the invoice or credit note" }],
  flags: [
    { name: "--xml", summary: "the e-invoice in place of the PDF" },
    { name: "-o, --output <file>", summary: "the file; - for stdout" },
  ],
  needs: "sign-in",
  examples: [
    "feather invoices download inv_4fJqM1t9Zk",
    "feather invoices download inv_4fJqM1t9Zk --xml",
    "feather invoices download inv_4fJqM1t9Zk -o - > november.pdf",
  ],
  options: ([id = ""], flags) => ({
    id,
    format: flags.xml === true ? "xml" : "pdf",
    ...optionalText("output", flags.output),
  }),
  async run({ client, output, signal }, { id, format, output: path }) {
    if (format === "pdf" && path === "-" && output.tty)
      throw new UsageError("a PDF is not written to a terminal", "-o invoice.pdf");
    const { invoices, creditNotes } = await client();
    const documents = id.startsWith("crn_") ? creditNotes : invoices;
    const read = async () =>
      format === "xml"
        ? new TextEncoder().encode(await documents.xml(id, { signal }))
        : new Uint8Array(await (await documents.pdf(id, { signal })).arrayBuffer());
    const [{ number }, bytes] = await Promise.all([documents.get(id, { signal }), read()]);
    if (path === "-") return output.writeBytes(bytes);
    const file = path ?? `${number}.${format}`;
    await writeFile(file, bytes);
    output.hint(`${formatBytes(bytes.length)} in ${file}`);
  },
};
