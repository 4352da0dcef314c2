import { createTransport, type Transporter } from "nodemailer";
import type { Logger } from "pino";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { MailKind } from "./mail.ts";
import { withoutSecrets } from "./secrets.ts";

const BATCH = 20;
const MINUTE = 60_000;
/** After a failure a message waits, longer each time; after the last it is given up. */
const PAUSES = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE];
const FAREWELL: MailKind = "account_deleted";
const TIMEOUT_MS = 10_000;

type Deps = {
  db: Database;
  clock: Clock;
  log: Pick<Logger, "warn">;
  /** How messages leave; null where no mail server is set, and they rest in the outbox. */
  transport: Transporter | null;
  from: string;
};

type Waiting = { id: string; kind: string; recipient: string; subject: string; body: string; attempts: number };
type Failure = { reason: string; isFinal: boolean; isServerDown: boolean };

/** The way to a mail server. One that does not answer is given up soon, or it would hold all messages up. */
export function smtpTransport(url: string, timeoutMs = TIMEOUT_MS): Transporter {
  const timeouts = {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  };
  return createTransport({ url, ...timeouts });
}

/** Sends what waits in the outbox. Several processes may do it at once: each message is taken by one. */
export function createMailDelivery({ db, clock, log, transport, from }: Deps) {
  /** Takes the next message, and puts it off at the same time: should this process end now, it is tried again later. */
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

  /** Writes down what became of a message. */
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
    // Nothing else names the address of an account that is deleted, so this does not keep it either.
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
        if (failure?.isServerDown) return; // the others need not try now
      }
    },
  };
}

export type MailDelivery = ReturnType<typeof createMailDelivery>;

/** A server that refuses a message for good (5xx) is believed; everything else may pass. */
function failureOf(error: unknown): Failure {
  const { responseCode, message, code } = error as { responseCode?: number; message?: string; code?: string };
  const reason = withoutSecrets(message ?? String(error), "(removed)").slice(0, 500);
  // A wrong password of ours is no fault of the message.
  const isOurs = code === "EAUTH";
  const isFinal = responseCode !== undefined && responseCode >= 500 && !isOurs;
  return { reason, isFinal, isServerDown: responseCode === undefined || isOurs };
}
