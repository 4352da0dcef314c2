import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { isForeignKeyViolation } from "../../platform/core/db/errors.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { trimDecimal } from "../../platform/core/money.ts";
import type { CurrenciesRepository, CurrencyUse } from "./currencies.repository.ts";
import { AVAILABLE_CURRENCIES, USD } from "./currency-codes.ts";

/** The rate of a currency, and whether it becomes the default. */
export type CurrencyChange = { unitsPerUsd: string; isDefault?: boolean | undefined };

type Deps = {
  db: Database;
  currenciesRepository: CurrenciesRepository;
  audit: Audit;
  clock: Clock;
};

/** Switches currencies on and off, and sets their rates, for admins. */
export function createCurrencyAdministration(deps: Deps) {
  return bind(deps, { set: setCurrency, remove: removeCurrency });
}

export type CurrencyAdministration = ReturnType<typeof createCurrencyAdministration>;

/** Throws `invalid_request` for a currency that cannot be charged, and `currencies.always_there` for another rate of US dollars. */
async function setCurrency(
  { db, currenciesRepository, audit, clock }: Deps,
  actor: SignedInActor,
  code: string,
  { unitsPerUsd, isDefault }: CurrencyChange,
): Promise<CurrencyUse> {
  if (!AVAILABLE_CURRENCIES.includes(code))
    throw errors.invalidRequest(`code is not valid: cards cannot be charged in ${code}.`, { param: "code" });
  if (code === USD && (Number(unitsPerUsd) !== 1 || isDefault === false)) throw errors.currencies.alwaysThere();
  return db.transaction().execute(async (trx) => {
    const before = await currenciesRepository.save(code, unitsPerUsd, clock.now(), trx);
    const { is_default: wasDefault = false } = (await currenciesRepository.findUse(code, trx)) ?? {};
    if (isDefault === true && !wasDefault) await currenciesRepository.makeDefault(code, trx);
    if (isDefault === false && wasDefault) await currenciesRepository.makeDefault(USD, trx);
    const details = {
      units_per_usd: unitsPerUsd,
      units_per_usd_before: before === null ? null : trimDecimal(before),
      ...(isDefault !== undefined && { is_default: isDefault }),
    };
    await audit.record({ actor, action: "currencies.set", target: code, details }, trx);
    const saved = await currenciesRepository.findUse(code, trx);
    if (!saved) throw new Error(`The currency ${code} was not stored.`);
    return saved;
  });
}

/** Throws `currencies.not_found`, `currencies.always_there` for US dollars, and `currencies.in_use` while organizations pay in it. */
async function removeCurrency(
  { db, currenciesRepository, audit }: Deps,
  actor: SignedInActor,
  code: string,
): Promise<void> {
  if (code === USD) throw errors.currencies.alwaysThere();
  const inUse = (count: number) => errors.currencies.inUse({ currency: code, count });
  const remove = db.transaction().execute(async (trx) => {
    const use = await currenciesRepository.findUse(code, trx);
    if (!use) throw errors.currencies.notFound();
    // Organizations that have not chosen pay in the default only until there is another.
    if (use.is_default) await currenciesRepository.makeDefault(USD, trx);
    const { organizations } = (await currenciesRepository.findUse(code, trx)) ?? use;
    if (organizations > 0) throw inUse(organizations);
    await currenciesRepository.remove(code, trx);
    const details = { units_per_usd_before: trimDecimal(use.units_per_usd) };
    await audit.record({ actor, action: "currencies.remove", target: code, details }, trx);
  });
  await remove.catch((error: unknown) => {
    // An organization has chosen it meanwhile.
    throw isForeignKeyViolation(error) ? inUse(1) : error;
  });
}
