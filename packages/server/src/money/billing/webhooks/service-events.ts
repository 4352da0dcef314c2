import { createDisputes } from "../disputes/disputes.usecases.ts";
import type { PaymentRecords } from "../payments/payment-records.ts";
import type { WebhookReader } from "../payments/payment-webhooks.ts";
import { createPaymentWebhooks } from "./payment-webhooks.usecases.ts";

type Deps = Parameters<typeof createDisputes>[0] &
  Omit<Parameters<typeof createPaymentWebhooks>[0], "disputes" | "reader" | "records"> & {
    /** Null where payments are off or tests: the test driver has no events of its own. */
    service: { webhooks: WebhookReader; records: PaymentRecords } | null;
  };

/** Creates what follows from events that begin at the payment service: disputes, and the webhooks that report them and others. */
export function createServiceEvents(deps: Deps) {
  const { webhooks: reader = null, records = null } = deps.service ?? {};
  const disputes = createDisputes(deps);
  return { disputes, paymentWebhooks: createPaymentWebhooks({ ...deps, disputes, reader, records }) };
}
