import type { Database } from "../core/db/connect.ts";
import { listAdminAddresses, type Mail } from "../mail/index.ts";
import { webhookDisabledMail } from "./webhooks.mails.ts";
import type { EndpointRow } from "./webhooks.repository.ts";

/** Reasons for which the server disables an endpoint. */
export type DisabledReason = "gone" | "failing" | "permission_ended";

/** Mails the admins of an organization that an endpoint was disabled, and why. */
export async function sendDisabledMail(
  mail: Mail,
  { organization_id, url, description }: EndpointRow,
  reason: DisabledReason,
  trx: Database,
): Promise<void> {
  const values = {
    // Without path and query, which may contain a token.
    host: new URL(url).host,
    endpoint_description: description === "" ? null : description,
    is_gone: reason === "gone",
    is_failing: reason === "failing",
    has_no_permission: reason === "permission_ended",
  };
  for (const to of await listAdminAddresses(organization_id, trx))
    await mail.send({ template: webhookDisabledMail, values, to }, trx);
}
