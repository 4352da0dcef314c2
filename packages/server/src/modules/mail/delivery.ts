import type { Transporter } from "nodemailer";
import type { Logger } from "pino";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";

const BATCH = 20;
const MINUTE = 60_000;
/** After a failure a message waits, longer each time; after the last it is given up. */
const PAUSES = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE];

type Deps = {
  db: Database;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
  /** How messages leave; null where no mail server is set, and they rest in the outbox. */
  transport: Transporter | null;
  from: string;
};

/** Sends what waits in the outbox. Several processes may do it at once: each message is taken by one. */
export function createMailDelivery({ db, clock, log, transport, from }: Deps) {
  /** Sends one message under a lock on its row, so that a crash leaves it waiting. Answers whether there was one. */
  async function sendNext(mailer: Transporter): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const now = clock.now();
      const message = await trx
        .selectFrom("outbox")
        .selectAll()
        .where("sent_at", "is", null)
        .where("failed_at", "is", null)
        .where("send_after", "<=", now)
        .orderBy("send_after")
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (!message) return false;
      const outcome = await mailer
        .sendMail({
          from,
          to: message.recipient,
          subject: message.subject,
          text: message.body,
          messageId: `<${message.id}@feather>`,
        })
        .then(
          () => ({ sent_at: clock.now(), last_error: null }),
          (error: unknown) => failure(error, message.attempts, clock.now()),
        );
      if ("failed_at" in outcome && outcome.failed_at)
        log.warn({ message: message.id, reason: outcome.last_error }, "a message was given up");
      await trx
        .updateTable("outbox")
        .set({ ...outcome, attempts: message.attempts + 1 })
        .where("id", "=", message.id)
        .execute();
      return true;
    });
  }

  return {
    async run(): Promise<void> {
      if (transport === null) return;
      for (let sent = 0; sent < BATCH; sent++) if (!(await sendNext(transport))) return;
    },
  };
}

export type MailDelivery = ReturnType<typeof createMailDelivery>;

/** A server that refuses for good (5xx) is believed; everything else may pass. */
function failure(error: unknown, attempts: number, now: Date) {
  const { responseCode, message } = error as { responseCode?: number; message?: string };
  const last_error = (message ?? String(error)).slice(0, 500);
  const pause = PAUSES[attempts];
  if (pause === undefined || (responseCode !== undefined && responseCode >= 500)) return { failed_at: now, last_error };
  return { send_after: new Date(now.getTime() + pause), last_error };
}
