import type { Job } from "../../../platform/core/jobs.ts";
import { HOUR_S } from "../../../platform/core/time.ts";
import type {
  CustomerPortal,
  PaymentConnection,
  PaymentRecords,
  TaxService,
  WebhookReader,
} from "../../payment-services/index.ts";
import { createTaxReports } from "../../taxes/index.ts";
import { createSaveBillingDetails } from "../details/billing-details.usecases.ts";
import { createDisputes } from "../disputes/disputes.usecases.ts";
import { createCustomerChanges } from "../portal/customer-changes.usecases.ts";
import { createServicePortal } from "../portal/customer-portal.usecases.ts";
import { createReconciliation } from "../reconciliation/reconciliation.usecases.ts";
import { createPaymentWebhooks } from "./payment-webhooks.usecases.ts";

const MINUTE_S = 60;
/** Without a payment service there is nothing to be connected to. */
const NO_SERVICE = { account: null, webhook: null, permissions: [], problems: [] };

type Deps = Parameters<typeof createDisputes>[0] &
  Omit<Parameters<typeof createReconciliation>[0], "disputes" | "service" | "customerChanges"> &
  Omit<Parameters<typeof createPaymentWebhooks>[0], "disputes" | "reader" | "records" | "customerChanges"> &
  Omit<Parameters<typeof createCustomerChanges>[0], "portal" | "saveBillingDetails"> &
  Parameters<typeof createSaveBillingDetails>[0] &
  Omit<Parameters<typeof createServicePortal>[0], "portal" | "changes"> & {
    /** Null where payments are off or tests: the test driver has no events of its own. */
    service: {
      webhooks: WebhookReader | null;
      /** Null where disputes and the daily comparison are not known. */
      records: PaymentRecords | null;
      tax: TaxService | null;
      /** Null where people change cards and addresses here only. */
      portal: CustomerPortal | null;
      checkConnection(): Promise<PaymentConnection>;
    } | null;
  };

/**
 * Creates what follows from events that begin at the payment service: disputes, webhooks, and the daily comparison; and the jobs that
 * keep both sides the same.
 */
export function createServiceEvents(deps: Deps) {
  const taxReports = deps.service?.tax ? createTaxReports({ ...deps, service: deps.service.tax }) : null;
  const { webhooks: reader = null, records = null, portal = null } = deps.service ?? {};
  const customerChanges =
    portal && createCustomerChanges({ ...deps, saveBillingDetails: createSaveBillingDetails(deps), portal });
  const disputes = createDisputes(deps);
  const compared = reader && records ? { webhooks: reader, records } : null;
  const reconciliation = createReconciliation({ ...deps, disputes, service: compared, customerChanges });
  const paymentWebhooks = createPaymentWebhooks({ ...deps, disputes, reader, records, customerChanges });
  const servicePortal = createServicePortal({ ...deps, portal, changes: customerChanges });
  const jobs: Job[] = [
    { name: "replay webhooks of payments", everySeconds: MINUTE_S, run: paymentWebhooks.replay },
    { name: "remove cards at the payment service", everySeconds: MINUTE_S, run: deps.paymentMethods.removeAtService },
    { name: "compare payments with the payment service", everySeconds: HOUR_S, run: reconciliation.run },
    ...(taxReports ? [{ name: "report taxes of payments", everySeconds: MINUTE_S, run: taxReports.run }] : []),
  ];
  const { name, isTest } = deps.driver;
  const checkService = deps.service?.checkConnection ?? (async () => ({ ...NO_SERVICE, driver: name, isTest }));
  const checkConnection = async (): Promise<PaymentConnection> => {
    const [connection, refusedTaxes = null] = await Promise.all([checkService(), taxReports?.describeRefused()]);
    return refusedTaxes === null ? connection : { ...connection, problems: [...connection.problems, refusedTaxes] };
  };
  return { disputes, reconciliation, paymentWebhooks, servicePortal, checkConnection, jobs };
}
