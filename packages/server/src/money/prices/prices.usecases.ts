import type { PriceRates } from "../../gateway/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { PriceBook } from "./price-book.ts";
import type { PriceRow, PricesRepository } from "./prices.repository.ts";

/** A price to be added; null makes it effective now. */
export type NewPrice = PriceRates & { effectiveAt: Date | null };
type Deps = {
  db: Database;
  pricesRepository: PricesRepository;
  priceBook: PriceBook;
  audit: Audit;
  clock: Clock;
  ids: Ids;
};

/** How far an effective time may lie in the past, because clients' clocks may be behind. */
const MAX_CLOCK_SKEW_MS = 5_000;

/** Returns a function that adds a price for a model, a class or a size from a given time on. */
export function createAddPrice({ db, pricesRepository, priceBook, audit, clock, ids }: Deps) {
  return async (actor: SignedInActor, id: string, { effectiveAt, ...rates }: NewPrice): Promise<PriceRow> => {
    const target = await pricesRepository.findTarget(id);
    if (!target) throw errors.prices.unknownModel();
    const now = clock.now();
    if (effectiveAt && effectiveAt.getTime() < now.getTime() - MAX_CLOCK_SKEW_MS) throw effectiveDateInPast();
    const effective_at = effectiveAt && effectiveAt > now ? effectiveAt : now;
    const row = await db.transaction().execute(async (trx) => {
      const price = { id: ids.next("price"), ...target, ...rates, effective_at, created_by: actor.userId };
      const added = await pricesRepository.add({ ...price, created_at: now }, trx);
      if (!added) throw errors.prices.exists({ model: target.target });
      const details = { price: added.id, ...rates, effective_at: effective_at.toISOString() };
      await audit.record({ actor, action: "prices.create", target: target.target, details }, trx);
      return added;
    });
    priceBook.invalidate();
    return row;
  };
}

function effectiveDateInPast(): AppError {
  return errors.invalidRequest("effective_at lies in the past. Past prices never change; leave it out to begin now.", {
    param: "effective_at",
  });
}
