import type { Database } from "../core/db/connect.ts";
import { listAdminAddresses, type Mail } from "../mail/index.ts";
import type { EndpointRow } from "./webhooks.repository.ts";

type Deps = { mail: Mail; publicUrl: string; productName: string };

const REASONS = {
  gone: "It responded with 410, which says that it wants no more events.",
  failing: "No delivery to it has succeeded for 5 days.",
  permission_ended: "An application made or changed it, and may no longer act for the user who allowed it.",
};

/** Reasons for which the server disables an endpoint. */
export type DisabledReason = keyof typeof REASONS;

/** Mails the admins of an organization that an endpoint was disabled, and why. */
export async function sendDisabledMail(
  { mail, publicUrl, productName }: Deps,
  { organization_id, url, description }: EndpointRow,
  reason: DisabledReason,
  trx: Database,
): Promise<void> {
  // Without path and query, which may contain a token.
  const name = `${new URL(url).host}${description === "" ? "" : ` (${description})`}`;
  const text = [
    `${productName} sends no more events to the webhook endpoint at ${name}. ${REASONS[reason]}`,
    "Events that happen while it is disabled are not sent later. Its failed deliveries can be replayed once it is enabled.",
    `To enable it: ${publicUrl}/account/organization/webhooks`,
  ].join("\n\n");
  const subject = `${productName}: a webhook endpoint was disabled`;
  for (const to of await listAdminAddresses(organization_id, trx))
    await mail.send({ kind: "webhook_disabled", to, subject, text }, trx);
}
