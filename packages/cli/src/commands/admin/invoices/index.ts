import { type AnyCommand, defineCommand } from "../../../command.ts";
import { invoicesExport } from "./export.ts";
import { invoicesList } from "./list.ts";
import { invoicesRefund } from "./refund.ts";

/** The commands of `admin invoices`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(invoicesList),
  defineCommand(invoicesRefund),
  defineCommand(invoicesExport),
];
