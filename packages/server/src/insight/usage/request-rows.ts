import type { Selectable } from "kysely";
import type { Requests } from "../../platform/core/db/schema.generated.ts";

/** A request as stored for usage. */
export type RequestRow = Selectable<Requests>;
/** Sums of requests, tokens and cost. */
export type UsageTotals = { requests: number; inputTokens: number; outputTokens: number; costNanoUsd: string };
