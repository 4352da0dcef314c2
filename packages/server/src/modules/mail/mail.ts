import type { Logger } from "pino";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Ids } from "../../shared/ids.ts";

/** What a message is about: the key under which admins find it in the outbox. */
export type MailKind =
  | "email_verification"
  | "password_reset"
  | "password_changed"
  | "email_changed"
  | "invitation"
  | "receipt"
  | "payment_failed"
  | "subscription_ended"
  | "plan_granted"
  | "price_change"
  | "trial_ending"
  | "renewal_ahead"
  | "card_expiring"
  | "account_deleted"
  | "account_security"
  | "account_exists"
  | "account_approved"
  | "account_refused"
  | "approval_requested"
  | "application_reviewed";

export type Message = { kind: MailKind; to: string; subject: string; text: string };

export type Mail = {
  /** Puts a message into the outbox; within `trx` it is sent if and only if the transaction commits. */
  send(message: Message, trx?: Database): Promise<void>;
};

/** Where messages are told of that rest in the outbox; with their links only where nobody else reaches the server. */
export type MailLog = { log: Pick<Logger, "info">; withLinks: boolean };

/**
 * Mail through the outbox, from which messages leave by SMTP where a server is set. Where none is, they rest there, and
 * the log says so: with their links, that is how the operator of a machine of their own comes by them.
 */
export function createMail(db: Database, clock: Clock, ids: Ids, told: MailLog | null = null): Mail {
  return {
    async send({ kind, to, subject, text }, trx = db) {
      const link = /https?:\/\/\S+/.exec(text)?.[0];
      const details = told?.withLinks ? { kind, to, ...(link && { link }) } : { kind };
      told?.log.info(details, "no mail server is set: the message rests in the outbox");
      const now = clock.now();
      await trx
        .insertInto("outbox")
        .values({ id: ids.next("mail"), kind, recipient: to, subject, body: text, created_at: now, send_after: now })
        .execute();
    },
  };
}
