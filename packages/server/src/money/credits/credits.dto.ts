import type { components } from "@feather/openapi/schema";
import { formatNanoUsd } from "../../platform/core/money.ts";
import type { CreditTransaction } from "./credits.repository.ts";
import type { CreditBalance } from "./credits.ts";

type Schemas = components["schemas"];

/** Converts a balance in nano-USD to the contract's amounts, exact and in USD. */
export function toCreditBalanceDto({ balance, reserved, available }: CreditBalance): Schemas["CreditBalance"] {
  return {
    balance_nano_usd: String(balance),
    reserved_nano_usd: String(reserved),
    available_nano_usd: String(available),
    balance_usd: formatNanoUsd(balance),
    reserved_usd: formatNanoUsd(reserved),
    available_usd: formatNanoUsd(available),
    currency: "USD",
  };
}

/** Converts a credit transaction. */
export function toCreditTransactionDto(row: CreditTransaction): Schemas["Transaction"] {
  const { id, amount_nano_usd, description, request_id } = row;
  return {
    id,
    kind: row.kind as Schemas["Transaction"]["kind"],
    amount_nano_usd,
    description,
    request_id,
    created_at: row.created_at.toISOString(),
  };
}
