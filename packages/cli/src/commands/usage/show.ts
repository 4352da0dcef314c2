import type { Command } from "../../command.ts";
import { RECEIPT_FIELDS, RECEIPT_VIEW } from "../../views/receipt.ts";

/** Shows the receipt of one request. */
export const usageShow: Command<{ readonly id: string }> = {
  name: "usage show",
  summary: "Show what one request took",
  arguments: [{ name: "<id>", summary: "request, as in the header request-id of its answer" }],
  prints: "one",
  fields: RECEIPT_FIELDS,
  needs: "sign-in",
  examples: ["feather usage show req_9Xk2mQ"],
  options: ([id = ""]) => ({ id }),
  async run({ client, output, signal }, { id }) {
    output.printDetails(RECEIPT_VIEW, await (await client()).usage.requests.get(id, { signal }));
  },
};
