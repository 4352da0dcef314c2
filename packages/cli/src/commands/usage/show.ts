import type { Receipt } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { formatCount, formatNanoDollars } from "../../output/format.ts";
import type { DetailView } from "../../output/index.ts";
import { formatDayTime } from "../../output/time.ts";
import { formatResult, RECEIPT_FIELDS } from "./receipt.ts";

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

/** How the receipt of a request is printed. */
export const RECEIPT_VIEW: DetailView<Receipt> = {
  id: ({ id }) => id,
  lines: (receipt) => {
    const { cached_tokens: cached, first_byte_ms: first } = receipt;
    const cost =
      receipt.cost_status === "final"
        ? formatNanoDollars(receipt.cost_nano_usd)
        : COST_STATUS_LABELS[receipt.cost_status];
    return [
      ["request", receipt.id, (text, style) => style.bold(text)],
      ["model", receipt.model],
      ["result", `${formatResult(receipt)}, ${receipt.status}`],
      ["when", formatDayTime(receipt.started_at)],
      ...(receipt.queued_ms > 0 ? [["waited", `${formatCount(receipt.queued_ms)} ms for its turn`] as const] : []),
      [
        "took",
        `${formatCount(receipt.duration_ms)} ms${first === null ? "" : `, first after ${formatCount(first)} ms`}`,
      ],
      [
        "read",
        `${formatCount(receipt.prompt_tokens)} tokens${cached > 0 ? `, ${formatCount(cached)} of them cached` : ""}`,
      ],
      ["written", `${formatCount(receipt.completion_tokens)} tokens${receipt.estimated ? ", estimated" : ""}`],
      ["units", String(receipt.units)],
      ["cost", cost],
      ["key", receipt.api_key_id ?? "none"],
    ];
  },
};

const COST_STATUS_LABELS = { not_applicable: "in the plan", unavailable: "unknown" } as const;
