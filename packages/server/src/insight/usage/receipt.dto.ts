import type { components } from "@feather/openapi/schema";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { hasPermission } from "../../platform/core/auth/permissions.ts";
import type { Requests } from "../../platform/core/db/schema.generated.ts";
import { modelIdOf } from "../../platform/core/models/model-keys.ts";
import { trimDecimal } from "../../platform/core/money.ts";
import type { RequestRow, UsageTotals } from "./request-rows.ts";

type Receipt = components["schemas"]["Receipt"];

/** Maps sums to the contract's `ActivityTotals`. */
export function toTotalsDto(totals: UsageTotals): components["schemas"]["ActivityTotals"] {
  return {
    request_count: totals.requests,
    input_tokens: totals.inputTokens,
    output_tokens: totals.outputTokens,
    total_tokens: totals.inputTokens + totals.outputTokens,
    total_cost_nano_usd: totals.costNanoUsd,
  };
}

/**
 * Maps a request to the contract's `Receipt`, which its organization sees. Only callers with `manage_members` see who made
 * the requests of others.
 */
export function toReceiptDto(row: RequestRow, { userId, role }: Pick<SignedInActor, "userId" | "role">): Receipt {
  const seesMaker = row.user_id === userId || hasPermission(role, "manage_members");
  return {
    id: row.id,
    model: modelIdOf(row.model_id),
    alias: row.alias,
    model_class: row.model_class_id,
    // Names of other backends are not shown, because they belong to the operator.
    deployment_id: row.backend?.startsWith("dep_") ? row.backend : null,
    place: row.place,
    chosen_by: row.chosen_by as Receipt["chosen_by"],
    own_key: row.own_key === true,
    own_key_fee_percent: row.own_key_fee_percent === null ? null : Number(row.own_key_fee_percent),
    kind: row.kind as Receipt["kind"],
    outcome: row.outcome as Receipt["outcome"],
    status: row.status,
    error_code: row.error_code,
    streamed: row.streamed,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    cached_tokens: row.cached_tokens,
    audio_seconds: row.audio_ms === null ? null : row.audio_ms / 1000,
    estimated: row.estimated,
    units: row.units,
    api_key_id: row.api_key_id,
    user_id: seesMaker ? row.user_id : null,
    ...toCostDto(row),
    passed_over: parsePassedOver(row.passed_over),
    started_at: row.started_at.toISOString(),
    queued_ms: row.queued_ms,
    first_byte_ms: row.first_byte_ms,
    duration_ms: row.duration_ms,
  };
}

const passedOver = z.array(z.object({ model: z.string(), reason: z.string() }));

/** Reads the column with the models that were passed over; none if it is empty or holds something else. */
function parsePassedOver(value: unknown): Receipt["passed_over"] {
  return value === null ? [] : (passedOver.safeParse(value).data ?? []);
}

/** Converts the cost of a request to the cost fields of its receipt. */
function toCostDto(
  row: Selectable<Requests>,
): Pick<Receipt, "billing_mode" | "cost_status" | "cost_nano_usd" | "price"> {
  const price = row.price_id !== null && {
    id: row.price_id,
    prompt: trimDecimal(row.prompt_price ?? "0"),
    completion: trimDecimal(row.completion_price ?? "0"),
    image: trimDecimal(row.image_price ?? "0"),
    audio_second: trimDecimal(row.audio_second_price ?? "0"),
    character: trimDecimal(row.character_price ?? "0"),
    request: trimDecimal(row.request_price ?? "0"),
    images: row.images,
    characters: row.characters ?? 0,
  };
  return {
    billing_mode: row.billing_mode as Receipt["billing_mode"],
    cost_status: row.cost_status as Receipt["cost_status"],
    cost_nano_usd: row.cost_nano_usd,
    price: price || null,
  };
}
