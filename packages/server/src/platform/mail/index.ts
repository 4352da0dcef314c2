import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import type { Ids } from "../core/ids.ts";
import type { MailSettings } from "./mail.settings.ts";
import { createMail, type RenderAttachments } from "./mail.ts";
import { createMailDelivery, smtpTransport } from "./mail-delivery.ts";
import { createOutboxCleanupJob } from "./outbox-cleanup.jobs.ts";

type Ports = {
  db: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  settings: MailSettings;
  /** Whether messages that stay in the outbox are logged with their links: only where no other machine can reach the server. */
  logsLinks: boolean;
};

const DELIVERY_INTERVAL_SECONDS = 2;

/** Creates the outbox and the delivery of its messages. Without a mail server they stay in the outbox. */
export function createMailModule({ db, clock, ids, log, settings, logsLinks }: Ports) {
  const { smtpUrl, from } = settings;
  let renderAttachments: RenderAttachments = async () => [];
  const delivery = createMailDelivery({
    db,
    clock,
    log,
    transport: smtpUrl === undefined ? null : smtpTransport(smtpUrl),
    from,
    renderAttachments: (name) => renderAttachments(name),
  });
  return {
    routes: {},
    jobs: [
      createOutboxCleanupJob(db, clock),
      { name: "send mail", everySeconds: DELIVERY_INTERVAL_SECONDS, run: delivery.run },
    ],
    api: {
      ...createMail(db, clock, ids, smtpUrl === undefined ? { log, withLinks: logsLinks } : null),
      /** Sets what draws the attachments of messages: the module whose documents they name is created later than this one. */
      renderAttachmentsWith(render: RenderAttachments): void {
        renderAttachments = render;
      },
    },
  };
}
export { listAdminAddresses } from "./admin-addresses.ts";
export type { Attachment, Mail, MailKind, RenderAttachments } from "./mail.ts";
export { mailAdmins } from "./mail-admins.ts";
export { redactSecrets } from "./message-secrets.ts";
export { redactAddress } from "./redact-address.ts";
