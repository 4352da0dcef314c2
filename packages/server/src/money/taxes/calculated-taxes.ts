import { createHash } from "node:crypto";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { HOUR_MS } from "../../platform/core/time.ts";
import {
  type TaxCalculation,
  type TaxRequest,
  type TaxService,
  taxCalculationSchema,
} from "../payment-services/index.ts";
import type { Tax, TaxOf } from "./tax.ts";

type Deps = { db: Database; clock: Clock; service: TaxService };

/** For how long a calculation may be used for another quote. Rates change seldom, and each calculation costs money. */
const USABLE_MS = HOUR_MS;
/** A change of plan needs two taxes. More are needed where account or address change meanwhile. */
const MAX_CALCULATIONS = 6;

/** Thrown in a transaction that needs a tax which was not calculated yet. */
class TaxNotCalculated extends Error {
  readonly organizationId: string;
  readonly request: TaxRequest;
  constructor(organizationId: string, request: TaxRequest) {
    super("A tax was not calculated before it was needed.");
    this.organizationId = organizationId;
    this.request = request;
  }
}

/**
 * Taxes that a service calculates. It is never asked while rows are locked: a transaction that lacks a tax is rolled back, the tax is
 * calculated and stored, and the transaction runs again.
 */
export function createCalculatedTaxes(deps: Deps) {
  return {
    /** Returns the taxes of an organization that are calculated. For others it throws, and `transact` runs again. */
    async findTaxOf(organizationId: string, subject: Omit<TaxRequest, "netCents">, trx: Database): Promise<TaxOf> {
      const rows = await trx
        .selectFrom("tax_calculations")
        .select(["net_cents", "calculation"])
        .where("organization_id", "=", organizationId)
        .where("subject_hash", "=", hashSubject(subject))
        .where("created_at", ">", new Date(deps.clock.now().getTime() - USABLE_MS))
        .execute();
      const known = new Map(rows.map((row) => [row.net_cents, taxCalculationSchema.parse(row.calculation)]));
      return (netCents) => {
        if (netCents === 0) return { taxPercent: null, taxCents: 0 };
        const calculation = known.get(netCents);
        if (!calculation) throw new TaxNotCalculated(organizationId, { ...subject, netCents });
        return toTax(calculation, netCents);
      };
    },

    /** Runs a transaction, and again for each tax that it lacks. Throws `payments.tax_address` or `payments.tax_unavailable`. */
    async transact<T>(run: (trx: Database) => Promise<T>): Promise<T> {
      for (let calculated = 0; calculated <= MAX_CALCULATIONS; calculated++)
        try {
          return await deps.db.transaction().execute(run);
        } catch (error) {
          if (!(error instanceof TaxNotCalculated)) throw error;
          await calculate(deps, error);
        }
      throw errors.payments.taxUnavailable();
    },

    /** Keeps a calculation for one invoice: no other quote may use it, since it can be reported once. */
    async claim({ taxCalculation }: Pick<Tax, "taxCalculation">, trx: Database): Promise<void> {
      if (taxCalculation)
        await trx.deleteFrom("tax_calculations").where("reference", "=", taxCalculation.reference).execute();
    },

    /** Deletes calculations that no quote may use any more. */
    async deleteOld(): Promise<void> {
      const until = new Date(deps.clock.now().getTime() - USABLE_MS);
      await deps.db.deleteFrom("tax_calculations").where("created_at", "<=", until).execute();
    },
  };
}

export type CalculatedTaxes = ReturnType<typeof createCalculatedTaxes>;

async function calculate({ db, clock, service }: Deps, { organizationId, request }: TaxNotCalculated): Promise<void> {
  const { netCents, ...subject } = request;
  const calculation = await service.calculate(request);
  await db
    .insertInto("tax_calculations")
    .values({
      reference: calculation.reference,
      organization_id: organizationId,
      subject_hash: hashSubject(subject),
      net_cents: netCents,
      calculation: JSON.stringify(calculation),
      created_at: clock.now(),
    })
    .execute();
}

function hashSubject({ buyer, currency }: Omit<TaxRequest, "netCents">): string {
  const { address, postalCode, city, country, vatId } = buyer;
  return createHash("sha256")
    .update(JSON.stringify([address, postalCode, city, country, vatId, currency]))
    .digest("hex");
}

function toTax(calculation: TaxCalculation, netCents: number): Tax {
  return {
    taxPercent: percentOf(calculation, netCents),
    taxCents: calculation.tax_cents,
    taxCalculation: calculation,
  };
}

/** Returns the sum of the rates where all of them are on the whole amount; null where there is no such rate. */
function percentOf({ lines }: TaxCalculation, netCents: number): number | null {
  const rates = lines.map(({ percent, taxable_cents }) => (taxable_cents === netCents ? percent : null));
  if (rates.length === 0 || rates.includes(null)) return null;
  return Number(rates.reduce<number>((sum, rate) => sum + (rate ?? 0), 0).toFixed(4));
}

/** Returns whether the recipient owes the tax, as the service says. */
export function isReverseCharge({ lines }: TaxCalculation): boolean {
  return lines.some(({ reason }) => reason === "reverse_charge");
}
