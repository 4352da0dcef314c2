import { type AnyCommand, entry } from "../../../command.ts";
import { invoicesList } from "./list.ts";
import { invoicesRefund } from "./refund.ts";

/** The commands of `admin invoices`. */
export const commands: readonly AnyCommand[] = [entry(invoicesList), entry(invoicesRefund)];
