import { type AnyCommand, defineCommand } from "../../command.ts";
import { invoicesCreditNotes } from "./credit-notes.ts";
import { invoicesDownload } from "./download.ts";
import { invoicesList } from "./list.ts";

/** The commands of `invoices`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(invoicesList),
  defineCommand(invoicesCreditNotes),
  defineCommand(invoicesDownload),
];
