import type { Receipt } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { formatCount } from "#/lib/format.ts";
import { calculateTokensPerSecond } from "#/lib/tokens-per-second.ts";

/** Names of keys and members by id. */
export type ReceiptNames = { keys: ReadonlyMap<string, string>; members: ReadonlyMap<string, string> };

/** The key of a request by its name. */
export const describeKey = ({ api_key_id }: Receipt, { keys }: ReceiptNames): string =>
  api_key_id === null ? t`this site` : (keys.get(api_key_id) ?? t`a deleted key`);

/** Who made a request; a dash where the reader may not see it. */
export const describeMember = ({ user_id }: Receipt, { members }: ReceiptNames): string =>
  user_id === null ? "–" : (members.get(user_id) ?? t`somebody who has left`);

/** The name of a place; providers have their ids. */
export const describePlace = (place: string): string =>
  place === "server" ? t`this server` : place === "network" ? t`a server of the operator` : place;

/** What a request cost, or that the plan has it. */
export const describeCost = ({ cost_status, cost_nano_usd }: Receipt): string =>
  cost_status === "not_applicable" ? t`in the plan` : formatNanoUsd(cost_nano_usd);

/** Milliseconds with their unit; a dash without any. */
export const formatMilliseconds = (value: number | null): string =>
  value === null ? "–" : t`${formatCount(value)} ms`;

/** The tokens that were written in a second; a dash where that cannot be said. */
export function formatSpeed({ outcome, completion_tokens, first_byte_ms, duration_ms, streamed }: Receipt): string {
  if (outcome !== "completed" || first_byte_ms === null) return "–";
  const elapsedMs = streamed ? duration_ms - first_byte_ms : duration_ms;
  const perSecond = calculateTokensPerSecond(completion_tokens, elapsedMs);
  return perSecond === null ? "–" : formatCount(perSecond);
}
