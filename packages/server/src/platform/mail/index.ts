import type { Logger } from "pino";
import type { Audit } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import type { Ids } from "../core/ids.ts";
import type { TranslateText } from "../core/languages/languages.ts";
import type { MailSettings } from "./mail.settings.ts";
import { createMail, type RenderAttachments } from "./mail.ts";
import { createMailDelivery, smtpTransport } from "./mail-delivery.ts";
import { type MailTemplate, type MailTranslations, SIGNATURE } from "./mail-template.ts";
import { createMailTemplatesRepository } from "./mail-templates.repository.ts";
import { mailTemplateRoutes } from "./mail-templates.routes.ts";
import { createMailTemplateUseCases } from "./mail-templates.usecases.ts";
import { createOutbox } from "./outbox.ts";
import { createOutboxCleanupJob } from "./outbox-cleanup.jobs.ts";
import { createRenderMail, toEditable } from "./render-mail.ts";

type Ports = {
  db: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  audit: Audit;
  publicUrl: string;
  productName: string;
  settings: MailSettings;
  /** The templates of all modules. */
  templates: readonly MailTemplate[];
  /** Their default words in other languages than English. */
  translations: MailTranslations;
  translateText: TranslateText;
  /** Whether messages that stay in the outbox are logged with their links: only where no other machine can reach the server. */
  logsLinks: boolean;
};

const DELIVERY_INTERVAL_SECONDS = 2;

/** Creates the outbox, the templates of messages, and the delivery. Without a mail server messages stay in the outbox. */
export function createMailModule(ports: Ports) {
  const { db, clock, ids, log, publicUrl, productName, settings, templates, translations, logsLinks } = ports;
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
  const common = { product: productName, site: publicUrl };
  const mailTemplatesRepository = createMailTemplatesRepository(db);
  const outbox = createOutbox(db, clock, ids, smtpUrl === undefined ? { log, withLinks: logsLinks } : null);
  const mailTemplates = createMailTemplateUseCases({
    ...ports,
    mailTemplatesRepository,
    outbox,
    common,
    templates: [...templates.map(toEditable), SIGNATURE],
  });
  return {
    routes: mailTemplateRoutes({ mailTemplates, translateText: ports.translateText }),
    jobs: [
      createOutboxCleanupJob(db, clock),
      { name: "send mail", everySeconds: DELIVERY_INTERVAL_SECONDS, run: delivery.run },
    ],
    api: {
      ...createMail({ db, outbox, render: createRenderMail({ mailTemplatesRepository, translations, common, log }) }),
      /** Sets what draws the attachments of messages: the module whose documents they name is created later than this one. */
      renderAttachmentsWith(render: RenderAttachments): void {
        renderAttachments = render;
      },
    },
  };
}
export { listAdminAddresses } from "./admin-addresses.ts";
export type { Attachment, Mail, RenderAttachments, TemplatedMessage } from "./mail.ts";
export { mailAdmins } from "./mail-admins.ts";
export type { MailKind } from "./mail-kinds.ts";
export {
  defineMailTemplate,
  type MailTemplate,
  type MailTranslations,
  type MailValues,
  type MailVariables,
} from "./mail-template.ts";
export { redactSecrets } from "./message-secrets.ts";
export { redactAddress } from "./redact-address.ts";
