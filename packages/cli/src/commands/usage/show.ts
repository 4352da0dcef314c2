import type { Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { formatAgo } from "../../output/time.ts";
import { pickItem } from "../../pick-item.ts";
import { formatResult, RECEIPT_FIELDS, RECEIPT_VIEW } from "../../views/receipt.ts";

/** How many requests are offered; typing finds one of them. */
const CHOICES = 100;

/** Shows the receipt of one request. */
export const usageShow: Command<{ readonly id: string }> = {
  name: "usage show",
  summary: "Show what one request took",
  arguments: [
    { name: "[id]", summary: "request, as in the header request-id of its answer; you are asked at a terminal" },
  ],
  prints: "one",
  fields: RECEIPT_FIELDS,
  needs: "sign-in",
  examples: ["feather usage show req_9Xk2mQ"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = given === "" ? await pickRequest(context, feather) : given;
    output.printDetails(RECEIPT_VIEW, await feather.usage.requests.get(id, { signal }));
  },
};

/** Lets the person choose one of their latest requests, and returns its id. */
function pickRequest(context: Context, { usage }: Feather): Promise<string> {
  const { now, signal } = context;
  return pickItem(context, {
    label: "Request",
    alternative: "the request's id: feather usage requests",
    empty: ["nothing was called in the last 30 days", "feather chat"],
    list: async () => (await usage.activity.requests({ perPage: CHOICES }, { signal })).items,
    toChoice: (receipt) => ({
      label: receipt.id,
      note: `${receipt.model}, ${formatResult(receipt)}, ${formatAgo(receipt.started_at, now())}`,
      value: receipt.id,
    }),
  });
}
