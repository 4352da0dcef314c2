import type { Selectable } from "kysely";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { PaymentCustomers } from "../../../platform/core/db/schema.generated.ts";
import type { PaymentDriver } from "../../payment-services/index.ts";
import type { BillingRepository } from "../billing.repository.ts";

type Deps = { db: Database; billingRepository: BillingRepository; driver: PaymentDriver; clock: Clock };

/** The customer that stands for an organization at the payment service. */
export type PaymentCustomerRow = Selectable<PaymentCustomers>;

/** Keeps the customers of organizations at the payment service. */
export function createPaymentCustomers(deps: Deps) {
  return bind(deps, { find: findCustomer, create: createCustomer, beginReading, lockReading, save: saveCustomer });
}

export type PaymentCustomersRepository = ReturnType<typeof createPaymentCustomers>;

/** Returns the organization's customer at the payment service; null without one. */
async function findCustomer({ db, driver }: Deps, organizationId: string): Promise<string | null> {
  const row = await db
    .selectFrom("payment_customers")
    .select("reference")
    .where("organization_id", "=", organizationId)
    .where("driver", "=", driver.name)
    .executeTakeFirst();
  return row?.reference ?? null;
}

/** Creates the organization's customer at the payment service; `replaced` is one that the service no longer knows. */
async function createCustomer(deps: Deps, organizationId: string, replaced: string | null): Promise<string> {
  const { db, billingRepository, driver, clock } = deps;
  const contact = await billingRepository.findContact(organizationId);
  const { name = "", email = "" } = contact ?? {};
  const reference = await driver.createCustomer({ organizationId, name, email }, replaced);
  const unseen = {
    ...{ service_details: null, service_default_card: null, portal_opened_at: null },
    ...{ refused_details: null, refused_at: null },
  };
  await db
    .insertInto("payment_customers")
    .values({ organization_id: organizationId, driver: driver.name, reference, created_at: clock.now() })
    .onConflict((conflict) =>
      conflict
        .columns(["organization_id", "driver"])
        .doUpdateSet(replaced === null ? { reference } : { reference, ...unseen }),
    )
    .execute();
  return reference;
}

/** Counts a reading of a customer, before the service is asked. Returns its row with that count; undefined for a customer of others. */
function beginReading({ db, driver }: Deps, reference: string): Promise<PaymentCustomerRow | undefined> {
  return db
    .updateTable("payment_customers")
    .set((eb) => ({ readings: eb("readings", "+", 1) }))
    .where("driver", "=", driver.name)
    .where("reference", "=", reference)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Returns whether what a reading found may be applied: the organization still exists, and no newer reading has begun, which finds
 * the same or more. Locks the account of the organization.
 */
async function lockReading(
  { billingRepository }: Deps,
  { organization_id, driver, reference, readings }: PaymentCustomerRow,
  trx: Database,
): Promise<boolean> {
  if (!(await billingRepository.keepExisting(organization_id, trx))) return false;
  await billingRepository.lockAccount(organization_id, trx);
  const current = await trx
    .selectFrom("payment_customers")
    .select("readings")
    .where("organization_id", "=", organization_id)
    .where("driver", "=", driver)
    .where("reference", "=", reference)
    .executeTakeFirst();
  return current?.readings === readings;
}

/** Stores what was seen of a customer. */
async function saveCustomer(
  { driver }: Deps,
  reference: string,
  values: Partial<Pick<PaymentCustomerRow, "service_default_card" | "portal_opened_at" | "refused_at">> & {
    service_details?: string;
    refused_details?: string | null;
  },
  trx: Database,
): Promise<void> {
  await trx
    .updateTable("payment_customers")
    .set(values)
    .where("driver", "=", driver.name)
    .where("reference", "=", reference)
    .execute();
}
