import { createTransport, type Transporter } from "nodemailer";
import type { Logger } from "pino";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { MailKind } from "./mail.ts";
import { withoutSecrets } from "./secrets.ts";

const BATCH = 20;
const MINUTE = 60_000;
/** Delay before each retry. After the last one the message counts as failed. */
const PAUSES = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE];
const FAREWELL: MailKind = "account_deleted";
const TIMEOUT_MS = 10_000;

type Deps = {
  db: Database;
  clock: Clock;
  log: Pick<Logger, "warn">;
  /** Null without a mail server: then messages stay in the outbox. */
  transport: Transporter | null;
  from: string;
};

type Waiting = { id: string; kind: string; recipient: string; subject: string; body: string; attempts: number };
type Failure = { reason: string; isFinal: boolean; isServerDown: boolean };

/** Creates the SMTP client. Its timeouts are short, because an unresponsive server would delay all messages. */
export function smtpTransport(url: string, timeoutMs = TIMEOUT_MS): Transporter {
  const timeouts = {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  };
  return createTransport({ url, ...timeouts });
}

/** Creates the job that sends messages from the outbox. Several processes may run it at once: each message is claimed by one. */
export function createMailDelivery({ db, clock, log, transport, from }: Deps) {
  /** Claims the next message and postpones it, so that it is retried if this process dies while sending it. */
  function take(): Promise<Waiting | undefined> {
    const now = clock.now();
    return db
      .updateTable("outbox")
      .set((eb) => ({ attempts: eb("attempts", "+", 1), send_after: new Date(now.getTime() + MINUTE) }))
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
      .returning(["id", "kind", "recipient", "subject", "body", "attempts"])
      .executeTakeFirst();
  }

  async function send(mailer: Transporter, { id, recipient, subject, body }: Waiting): Promise<Failure | null> {
    const message = { from, to: recipient, subject, text: body, messageId: `<${id}@feather>` };
    return mailer.sendMail(message).then(() => null, failureOf);
  }

  /** Stores the result of sending a message, and removes its links once it is sent or has failed. */
  async function settle({ id, kind, body, attempts }: Waiting, failure: Failure | null): Promise<void> {
    const now = clock.now();
    const pause = PAUSES[attempts - 1];
    const done = { body: withoutSecrets(body, "(removed)") };
    const change =
      failure === null
        ? { ...done, sent_at: now, last_error: null }
        : failure.isFinal || pause === undefined
          ? { ...done, failed_at: now, last_error: failure.reason }
          : { send_after: new Date(now.getTime() + pause), last_error: failure.reason };
    if ("failed_at" in change) log.warn({ message: id, reason: change.last_error }, "a message was given up");
    const isOver = "sent_at" in change || "failed_at" in change;
    // The address of a deleted account must not be kept anywhere.
    if (kind === FAREWELL && isOver) await db.deleteFrom("outbox").where("id", "=", id).execute();
    else await db.updateTable("outbox").set(change).where("id", "=", id).execute();
  }

  return {
    async run(): Promise<void> {
      if (transport === null) return;
      for (let count = 0; count < BATCH; count++) {
        const message = await take();
        if (!message) return;
        const failure = await send(transport, message);
        await settle(message, failure);
        if (failure?.isServerDown) return; // other messages would fail too
      }
    },
  };
}

/** Sends messages from the outbox. */
export type MailDelivery = ReturnType<typeof createMailDelivery>;

/** Describes an SMTP error. Only a permanent rejection (5xx) is final. */
function failureOf(error: unknown): Failure {
  const { responseCode, message, code } = error as { responseCode?: number; message?: string; code?: string };
  const reason = withoutSecrets(message ?? String(error), "(removed)").slice(0, 500);
  // Wrong SMTP credentials are no reason to give the message up.
  const isOurs = code === "EAUTH";
  const isFinal = responseCode !== undefined && responseCode >= 500 && !isOurs;
  return { reason, isFinal, isServerDown: responseCode === undefined || isOurs };
}
