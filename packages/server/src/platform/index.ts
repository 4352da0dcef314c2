import type { Logger } from "pino";
import { createAuditModule } from "./audit/index.ts";
import type { Clock } from "./core/clock.ts";
import type { Database } from "./core/db/connect.ts";
import type { RateLimiter } from "./core/http/rate-limits.ts";
import type { Ids } from "./core/ids.ts";
import type { TranslateText } from "./core/languages/languages.ts";
import type { Outgoing } from "./core/network/outgoing.ts";
import type { Replicas } from "./core/replicas/replicas.ts";
import type { Sealer } from "./core/secrets/sealing.ts";
import { createMailModule, type MailTemplate, type MailTranslations } from "./mail/index.ts";
import { createEventOutbox, createWebhooksModule } from "./webhooks/index.ts";

/** What the modules work with that is no module: the database, time, ids, limits, and the installation. */
export type Services = {
  db: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  limits: RateLimiter;
  replicas: Replicas;
  publicUrl: string;
  productName: string;
  /** Whether the server is starting or stopping. */
  lifecycle: { starting: boolean; draining: boolean };
};

type Ports = Services & {
  outgoing: Outgoing;
  settings: { mail: Parameters<typeof createMailModule>[0]["settings"] };
  mailTemplates: readonly MailTemplate[];
  mailTranslations: MailTranslations;
  translateText: TranslateText;
  /** Whether messages that stay in the outbox are logged with their links. */
  logsLinks: boolean;
  /** Encrypts the secrets that sign the events of webhooks. */
  webhookSealer: Sealer;
};

/** What every module can use: the services, the audit log and the events of organizations. */
export type Base = ReturnType<typeof createPlatform>["base"];

/** Creates what all other layers build on: the audit log, mail and webhooks. */
export function createPlatform(ports: Ports) {
  const { outgoing, settings, mailTemplates, mailTranslations, translateText, logsLinks, webhookSealer, ...services } =
    ports;
  const audit = createAuditModule(services);
  const events = createEventOutbox(services);
  const base = { ...services, audit: audit.api, readLog: audit.api.readLog, events };
  const mail = createMailModule({
    ...base,
    settings: settings.mail,
    templates: mailTemplates,
    translations: mailTranslations,
    translateText,
    logsLinks,
  });
  const webhooks = createWebhooksModule({ ...base, mail: mail.api, outgoing, sealer: webhookSealer });
  return { base, modules: [audit, mail, webhooks], api: { audit: audit.api, mail: mail.api, webhooks: webhooks.api } };
}
