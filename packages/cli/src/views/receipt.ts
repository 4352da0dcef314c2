import type { Receipt } from "@feather/sdk";
import { formatCount, formatNanoUsd } from "@feather/sdk/format";
import type { DetailView } from "../output/index.ts";
import { formatDayTime } from "../output/time.ts";

/** Fields that `--json` accepts. */
export const RECEIPT_FIELDS = [
  "id",
  "model",
  "alias",
  "model_class",
  "deployment_id",
  "kind",
  "outcome",
  "status",
  "error_code",
  "streamed",
  "prompt_tokens",
  "completion_tokens",
  "cached_tokens",
  "audio_seconds",
  "estimated",
  "units",
  "api_key_id",
  "user_id",
  "billing_mode",
  "cost_status",
  "cost_nano_usd",
  "price",
  "place",
  "chosen_by",
  "own_key",
  "own_key_fee_percent",
  "place_costs",
  "passed_over",
  "started_at",
  "queued_ms",
  "first_byte_ms",
  "duration_ms",
] as const satisfies readonly (keyof Receipt)[];

/** Returns the outcome of a request: `completed`, `failed (model_unavailable)`. */
export const formatResult = ({ outcome, error_code: code }: Receipt): string =>
  code === null ? outcome : `${outcome} (${code})`;

/** How the receipt of a request is printed. */
export const RECEIPT_VIEW: DetailView<Receipt> = {
  id: ({ id }) => id,
  lines: (receipt) => {
    const { cached_tokens: cached, first_byte_ms: first } = receipt;
    const cost =
      receipt.cost_status === "final" ? formatNanoUsd(receipt.cost_nano_usd) : COST_STATUS_LABELS[receipt.cost_status];
    return [
      ["request", receipt.id, (text, style) => style.bold(text)],
      ["model", receipt.alias === null ? receipt.model : `${receipt.model}, called as ${receipt.alias}`],
      ...(receipt.place === null ? [] : [["answered at", receipt.place] as const]),
      ...(receipt.chosen_by === null ? [] : [["chosen", CHOICES[receipt.chosen_by]] as const]),
      ...(receipt.own_key ? [["paid at", describeOwnKey(receipt)] as const] : []),
      ...receipt.passed_over.map(({ model, reason }) => ["passed over", `${model} (${reason})`] as const),
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
      ...(receipt.audio_seconds === null
        ? []
        : [["heard", `${formatCount(receipt.audio_seconds)} s of sound`] as const]),
      ["written", `${formatCount(receipt.completion_tokens)} tokens${receipt.estimated ? ", estimated" : ""}`],
      ["units", String(receipt.units)],
      ["cost", cost],
      ...(receipt.place_costs ?? []).map(
        (place) => [`today at ${place.name}`, formatNanoUsd(place.cost_nano_usd)] as const,
      ),
      ["key", receipt.api_key_id ?? "none"],
      ...(receipt.user_id === null ? [] : [["member", receipt.user_id] as const]),
    ];
  },
};

/** Who was paid for a call with the organization's own key, and what this server charged for it. */
function describeOwnKey({ place, own_key_fee_percent: fee }: Receipt): string {
  const where = `${place ?? "the provider"}, with the organization's own key`;
  return fee === null ? where : `${where}; ${fee} % of the price here`;
}

/** By what the place was chosen. */
const CHOICES = {
  only: "no other place could answer",
  caller: "by the caller's preferences",
  balanced: "as the place with the least to do",
  own_first: "as this server's own place (order own_first)",
  price: "by price",
  latency: "by latency",
  throughput: "by throughput",
} as const;

const COST_STATUS_LABELS = { not_applicable: "in the plan", unavailable: "unknown" } as const;
