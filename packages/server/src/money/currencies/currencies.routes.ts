import type { components } from "@feather/openapi/schema";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { trimDecimal } from "../../platform/core/money.ts";
import type { CurrenciesRepository, CurrencyRow, CurrencyUse } from "./currencies.repository.ts";
import type { CurrencyAdministration } from "./currencies.usecases.ts";
import { AVAILABLE_CURRENCIES, decimalsOf } from "./currency-codes.ts";

type Schemas = components["schemas"];
type Deps = { currenciesRepository: CurrenciesRepository; currencyAdministration: CurrencyAdministration };

/** Routes of the currencies in which organizations can pay: the public list, and administration. */
export function currencyRoutes({ currenciesRepository, currencyAdministration }: Deps): Handlers {
  return {
    "currencies.list": async () => ({ items: (await currenciesRepository.list()).map(toCurrencyDto) }),
    "admin.currencies.list": async () => ({
      items: (await currenciesRepository.listUses()).map(toAdminCurrencyDto),
      available: [...AVAILABLE_CURRENCIES],
    }),
    "admin.currencies.set": async ({ actor, path, body }) => {
      const change = { unitsPerUsd: body.units_per_usd, isDefault: body.is_default };
      return toAdminCurrencyDto(await currencyAdministration.set(actor, path.code, change));
    },
    "admin.currencies.remove": async ({ actor, path }) => {
      await currencyAdministration.remove(actor, path.code);
      return undefined;
    },
  };
}

function toCurrencyDto({ code, units_per_usd, is_default }: CurrencyRow): Schemas["Currency"] {
  return { code, units_per_usd: trimDecimal(units_per_usd), decimals: decimalsOf(code), is_default };
}

function toAdminCurrencyDto(row: CurrencyUse): Schemas["AdminCurrency"] {
  return { ...toCurrencyDto(row), organization_count: row.organizations, updated_at: row.updated_at.toISOString() };
}
