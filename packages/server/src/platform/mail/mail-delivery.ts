import { createTransport, type Transporter } from "nodemailer";
import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { Attachment, RenderAttachments } from "./mail.ts";
import type { MailKind } from "./mail-kinds.ts";
import { redactSecrets } from "./message-secrets.ts";

const BATCH_SIZE = 20;
/** Delay before each retry. After the last one the message counts as failed. */
const RETRY_DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, 6 * 60 * MINUTE_MS];
const DELETION_NOTICE: MailKind = "account_deleted";
const SMTP_TIMEOUT_MS = 10_000;

type Deps = {
  db: Database;
  clock: Clock;
  log: Pick<Logger, "warn">;
  /** Null without a mail server: then messages stay in the outbox. */
  transport: Transporter | null;
  from: string;
  renderAttachments: RenderAttachments;
};

type PendingMessage = {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  body: string;
  attachment: string | null;
  attempts: number;
};
type Failure = { reason: string; isFinal: boolean; isServerDown: boolean };

/** Creates the SMTP client. Its timeouts are short, because an unresponsive server would delay all messages. */
export function smtpTransport(url: string, timeoutMs = SMTP_TIMEOUT_MS): Transporter {
  const timeouts = {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  };
  return createTransport({ url, ...timeouts });
}

/** Creates the job that sends messages from the outbox. Several processes may run it at once: each message is claimed by one. */
export function createMailDelivery({ db, clock, log, transport, from, renderAttachments }: Deps) {
  /** Claims the next message and postpones it, so that it is retried if this process dies while sending it. */
  function claimNext(): Promise<PendingMessage | undefined> {
    const now = clock.now();
    return db
      .updateTable("outbox")
      .set((eb) => ({ attempts: eb("attempts", "+", 1), send_after: new Date(now.getTime() + MINUTE_MS) }))
      .where("id", "=", (eb) =>
        eb
          .selectFrom("outbox")
          .select("id")
          .where("sent_at", "is", null)
          .where("failed_at", "is", null)
          .where("send_after", "<=", now)
          .orderBy("send_after")
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returning(["id", "kind", "recipient", "subject", "body", "attachment", "attempts"])
      .executeTakeFirst();
  }

  async function send(mailer: Transporter, pending: PendingMessage): Promise<Failure | null> {
    const { id, recipient, subject, body, attachment } = pending;
    const attachments: Attachment[] = [];
    try {
      if (attachment !== null) attachments.push(...(await renderAttachments(attachment)));
    } catch (error) {
      return { reason: String(error).slice(0, 500), isFinal: false, isServerDown: false };
    }
    const message = { from, to: recipient, subject, text: body, messageId: `<${id}@feather>` };
    const files = attachments.map((file) => ({ ...file, content: Buffer.from(file.content) }));
    return mailer.sendMail({ ...message, attachments: files }).then(() => null, toFailure);
  }

  /** Stores the result of sending a message, and removes its links once it is sent or has failed. */
  async function recordResult({ id, kind, body, attempts }: PendingMessage, failure: Failure | null): Promise<void> {
    const now = clock.now();
    const retryDelayMs = RETRY_DELAYS_MS[attempts - 1];
    const withoutLinks = { body: redactSecrets(body, "(removed)") };
    const change =
      failure === null
        ? { ...withoutLinks, sent_at: now, last_error: null }
        : failure.isFinal || retryDelayMs === undefined
          ? { ...withoutLinks, failed_at: now, last_error: failure.reason }
          : { send_after: new Date(now.getTime() + retryDelayMs), last_error: failure.reason };
    if ("failed_at" in change) log.warn({ message: id, reason: change.last_error }, "a message was given up");
    const isDone = "sent_at" in change || "failed_at" in change;
    // The address of a deleted account must not be kept anywhere.
    if (kind === DELETION_NOTICE && isDone) await db.deleteFrom("outbox").where("id", "=", id).execute();
    else await db.updateTable("outbox").set(change).where("id", "=", id).execute();
  }

  return {
    async run(): Promise<void> {
      if (transport === null) return;
      for (let count = 0; count < BATCH_SIZE; count++) {
        const message = await claimNext();
        if (!message) return;
        const failure = await send(transport, message);
        await recordResult(message, failure);
        if (failure?.isServerDown) return; // other messages would fail too
      }
    },
  };
}

/** Sends messages from the outbox. */
export type MailDelivery = ReturnType<typeof createMailDelivery>;

/** Describes an SMTP error. Only a permanent rejection (5xx) is final. */
function toFailure(error: unknown): Failure {
  const { responseCode, message, code } = error as { responseCode?: number; message?: string; code?: string };
  const reason = redactSecrets(message ?? String(error), "(removed)").slice(0, 500);
  // Wrong SMTP credentials are no reason to give the message up.
  const isAuthError = code === "EAUTH";
  const isFinal = responseCode !== undefined && responseCode >= 500 && !isAuthError;
  return { reason, isFinal, isServerDown: responseCode === undefined || isAuthError };
}
