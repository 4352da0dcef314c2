import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import type { Ids } from "../core/ids.ts";

/** The subject area of a message, by which admins find it in the outbox. */
export type MailKind =
  | "email_verification"
  | "password_reset"
  | "password_changed"
  | "email_changed"
  | "invitation"
  | "receipt"
  | "credit_note"
  | "payment_failed"
  | "payment_disputed"
  | "payments_differ"
  | "refund_failed"
  | "subscription_ended"
  | "plan_granted"
  | "price_change"
  | "trial_ending"
  | "renewal_ahead"
  | "card_expiring"
  | "vat_id_invalid"
  | "account_deleted"
  | "account_security"
  | "account_exists"
  | "account_approved"
  | "account_refused"
  | "approval_requested"
  | "application_reviewed"
  | "model_available"
  | "webhook_disabled"
  | "budget_warning"
  | "budget_reached"
  | "auto_top_up";

/** A plain-text e-mail. `attachment` names a document, which is drawn when the message is sent. */
export type Message = { kind: MailKind; to: string; subject: string; text: string; attachment?: string };

/** A file that is attached to an e-mail. */
export type Attachment = { filename: string; contentType: string; content: Uint8Array };

/** Draws the document that an attachment names, as one file or more; none when there is no document of that name. */
export type RenderAttachments = (name: string) => Promise<Attachment[]>;

/** Sends e-mails through the outbox. */
export type Mail = {
  /** Adds a message to the outbox. With `trx` it is sent if and only if that transaction commits. */
  send(message: Message, trx?: Database): Promise<void>;
};

/** Log for messages that stay in the outbox. `withLinks` is only for servers that no other machine can reach. */
export type MailLog = { log: Pick<Logger, "info">; withLinks: boolean };

/**
 * Creates the mailer. It puts messages into the outbox; they are sent by SMTP if a mail server is configured. If none is,
 * they stay there and `mailLog` gets a line for each; with links, so that people who run a server on their own machine can
 * open them.
 */
export function createMail(db: Database, clock: Clock, ids: Ids, mailLog: MailLog | null = null): Mail {
  return {
    async send({ kind, to, subject, text, attachment }, trx = db) {
      const link = /https?:\/\/\S+/.exec(text)?.[0];
      const details = mailLog?.withLinks ? { kind, to, ...(link && { link }) } : { kind };
      mailLog?.log.info(details, "no mail server is set: the message rests in the outbox");
      const now = clock.now();
      await trx
        .insertInto("outbox")
        .values({
          id: ids.next("mail"),
          kind,
          recipient: to,
          subject,
          body: text,
          attachment: attachment ?? null,
          created_at: now,
          send_after: now,
        })
        .execute();
    },
  };
}
