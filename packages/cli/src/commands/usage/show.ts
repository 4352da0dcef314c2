import type { Command } from "../../command.ts";
import { count, nanoDollars } from "../../output/format.ts";
import type { Sheet } from "../../output/index.ts";
import { dayTime } from "../../output/time.ts";
import { RECEIPT_FIELDS, type Receipt, resultText } from "./receipt.ts";

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
    output.one(SHEET, await (await client()).usage.requests.get(id, { signal }));
  },
};

const SHEET: Sheet<Receipt> = {
  id: ({ id }) => id,
  lines: (receipt) => {
    const { cached_tokens: cached, first_byte_ms: first } = receipt;
    const price = receipt.cost_status === "final" ? nanoDollars(receipt.cost_nano_usd) : PRICELESS[receipt.cost_status];
    return [
      ["request", receipt.id, (text, style) => style.bold(text)],
      ["model", receipt.model],
      ["result", `${resultText(receipt)}, ${receipt.status}`],
      ["when", dayTime(receipt.started_at)],
      ...(receipt.queued_ms > 0 ? [["waited", `${count(receipt.queued_ms)} ms for its turn`] as const] : []),
      ["took", `${count(receipt.duration_ms)} ms${first === null ? "" : `, first after ${count(first)} ms`}`],
      ["read", `${count(receipt.prompt_tokens)} tokens${cached > 0 ? `, ${count(cached)} of them cached` : ""}`],
      ["written", `${count(receipt.completion_tokens)} tokens${receipt.estimated ? ", estimated" : ""}`],
      ["units", String(receipt.units)],
      ["cost", price],
      ["key", receipt.api_key_id ?? "none"],
    ];
  },
};

const PRICELESS = { not_applicable: "in the plan", unavailable: "unknown" } as const;
