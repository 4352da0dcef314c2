import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { createCurrenciesRepository } from "./currencies.repository.ts";
import { currencyRoutes } from "./currencies.routes.ts";
import { createCurrencyAdministration } from "./currencies.usecases.ts";

/** Creates the currencies in which organizations can pay. */
export function createCurrenciesModule(ports: { db: Database; audit: Audit; clock: Clock }) {
  const currenciesRepository = createCurrenciesRepository(ports.db);
  const currencyAdministration = createCurrencyAdministration({ ...ports, currenciesRepository });
  return {
    routes: currencyRoutes({ currenciesRepository, currencyAdministration }),
    jobs: [],
    api: { currenciesRepository },
  };
}
export {
  type CurrenciesRepository,
  type CurrencyRow,
  currencyOf,
  findOrganizationRate,
  findRate,
  listCurrencies,
} from "./currencies.repository.ts";
export { AVAILABLE_CURRENCIES, decimalsOf, stepOf, USD } from "./currency-codes.ts";
export {
  type CurrencyRate,
  convertAmount,
  costOfUsdCents,
  fromUsdCents,
  toCurrencyRate,
  toNano,
  toUsdCents,
  toUsdCentsRoundedUp,
  USD_RATE,
  unitsPerUsdOf,
} from "./currency-rate.ts";
export { formatMoney, nameCurrency } from "./format-money.ts";
