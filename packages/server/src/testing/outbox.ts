import { MAIL_TRANSLATIONS } from "../config/translations.ts";
import type { Clock } from "../platform/core/clock.ts";
import type { Database } from "../platform/core/db/connect.ts";
import { randomIds } from "../platform/core/ids.ts";
import { createMail, type Mail } from "../platform/mail/mail.ts";
import type { MailKind } from "../platform/mail/mail-kinds.ts";
import { createMailTemplatesRepository } from "../platform/mail/mail-templates.repository.ts";
import { createOutbox, type Message } from "../platform/mail/outbox.ts";
import { createRenderMail } from "../platform/mail/render-mail.ts";
import type { TestServer } from "./server.ts";

/** Messages of a kind in the outbox for a recipient, newest first. */
export async function listMessages({ db }: TestServer, email: string, kind?: MailKind) {
  const query = db.selectFrom("outbox").selectAll().where("recipient", "=", email);
  return (kind ? query.where("kind", "=", kind) : query).orderBy("created_at", "desc").execute();
}

/** Returns the token in the newest such message; empty if there is none. */
export async function findMailedToken(server: TestServer, email: string, kind: MailKind): Promise<string> {
  const [message] = await listMessages(server, email, kind);
  return /one_[0-9A-Za-z]{49}/.exec(message?.body ?? "")?.[0] ?? "";
}

/** Adds a message to the outbox that has no template. */
export function putMessage({ db }: Pick<TestServer, "db">, message: Message): Promise<void> {
  return createOutbox(db, { now: () => new Date() }, randomIds).add(message);
}

/** Creates a mailer that puts messages into the outbox of a database. */
export function createTestMail(db: Database, clock: Clock): Mail {
  const common = { product: "Feather", site: "http://localhost:4000" };
  const mailTemplatesRepository = createMailTemplatesRepository(db);
  const log = { warn: () => {} };
  const render = createRenderMail({ mailTemplatesRepository, translations: MAIL_TRANSLATIONS, common, log });
  return createMail({ db, outbox: createOutbox(db, clock, randomIds), render });
}
