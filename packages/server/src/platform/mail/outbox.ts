import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import type { Ids } from "../core/ids.ts";
import type { MailKind } from "./mail-kinds.ts";

/** A plain-text e-mail. `attachment` names a document, which is drawn when the message is sent. */
export type Message = { kind: MailKind; to: string; subject: string; text: string; attachment?: string };

/** Log for messages that stay in the outbox. `withLinks` is only for servers that no other machine can reach. */
export type MailLog = { log: Pick<Logger, "info">; withLinks: boolean };

/** Keeps messages until they are sent. */
export type Outbox = {
  /** Adds a message. With `trx` it is sent if and only if that transaction commits. */
  add(message: Message, trx?: Database): Promise<void>;
};

/**
 * Creates the outbox. Its messages are sent by SMTP if a mail server is configured. If none is, they stay there and `mailLog`
 * gets a line for each; with links, so that people who run a server on their own machine can open them.
 */
export function createOutbox(db: Database, clock: Clock, ids: Ids, mailLog: MailLog | null = null): Outbox {
  return {
    async add({ kind, to, subject, text, attachment }, trx = db) {
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
