import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExpressionBuilder } from "kysely";
import type { Database } from "../db/connect.ts";
import { isChangedMeanwhile, isTransient } from "../db/errors.ts";
import type { DB } from "../db/schema.generated.ts";
import type { Clock } from "../shared/clock.ts";
import { AppError, invalidRequest } from "../shared/errors.ts";
import type { Actor, SignedIn } from "./actor.ts";
import type { ContractOperation } from "./contract.ts";

type Incoming = { actor: Actor; request: FastifyRequest; reply: FastifyReply; body: unknown };
type Answered = { status: number; body: unknown };

const KEPT = 24 * 3_600_000;
const LONGEST_KEY = 200;
/** How often, and how long, a call waits for the answer of the same call that runs already. */
const POLL = 50;
const PATIENCE = 30_000;
/**
 * A call that has not ended by then was cut off with its process, or its answer could not be stored. Where the work
 * remembers its key it is begun again, and finds what was done; everything else might be done twice, and is refused.
 */
const ABANDONED = 120_000;
const IV = 12;
const TAG = 16;

/**
 * Makes a POST with an `Idempotency-Key` happen once: the same call with the same key by the same user waits for the
 * first and gets its answer, for 24 hours. Answers may hold a new key's secret, so they are stored encrypted with the
 * caller's own key, of which only a hash is kept.
 */
export function createIdempotency(db: Database, clock: Clock) {
  async function claim(
    id: Buffer,
    { operationId, remembersKey }: ContractOperation,
    bodyHash: Buffer,
  ): Promise<boolean> {
    const now = clock.now();
    const { numInsertedOrUpdatedRows } = await db
      .insertInto("idempotency_keys")
      .values({ id, operation_id: operationId, body_hash: bodyHash, created_at: now })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet({ operation_id: operationId, body_hash: bodyHash, created_at: now, status: null, answer: null })
          .where((eb) =>
            eb.or([
              eb("idempotency_keys.created_at", "<", new Date(now.getTime() - KEPT)),
              eb.and([
                eb.val(remembersKey),
                eb("idempotency_keys.status", "is", null),
                eb("idempotency_keys.created_at", "<", new Date(now.getTime() - ABANDONED)),
              ]),
            ]),
          ),
      )
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  async function earlier(id: Buffer, operationId: string, bodyHash: Buffer, key: string): Promise<Answered | "gone"> {
    for (const until = Date.now() + PATIENCE; Date.now() < until; ) {
      const row = await db.selectFrom("idempotency_keys").selectAll().where("id", "=", id).executeTakeFirst();
      if (!row) return "gone";
      if (row.operation_id !== operationId || !row.body_hash.equals(bodyHash)) throw otherCall();
      if (row.status === null && clock.now().getTime() - row.created_at.getTime() >= ABANDONED) throw cutOff();
      if (row.status !== null) return { status: row.status, body: row.answer && open(row.answer, key) };
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
    throw new AppError(409, "idempotency_conflict", "The same call is still running. Ask again in a moment.", {
      headers: { "retry-after": "2" },
    });
  }

  const unanswered = (id: Buffer) => (eb: ExpressionBuilder<DB, "idempotency_keys">) =>
    eb.and([eb("id", "=", id), eb("status", "is", null)]);

  /** The call may be made again. */
  const release = (id: Buffer) => db.deleteFrom("idempotency_keys").where(unanswered(id)).execute();

  /** The call may have been done, so it is refused from now on, without waiting for an answer. */
  const abandon = (id: Buffer) =>
    db
      .updateTable("idempotency_keys")
      .set({ created_at: new Date(clock.now().getTime() - ABANDONED) })
      .where(unanswered(id))
      .execute();

  async function perform(
    id: Buffer,
    key: string,
    { remembersKey }: ContractOperation,
    { request, reply }: Incoming,
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    const body = await run().catch(async (error: unknown) => {
      await (remembersKey || isUndone(error) ? release(id) : abandon(id)).catch((failure: unknown) => {
        request.log.warn({ err: failure, request_id: request.id }, "the claim of a failed call stays as it is");
      });
      throw error;
    });
    const answer = body === undefined ? null : seal(JSON.stringify(body), key);
    try {
      await db.updateTable("idempotency_keys").set({ status: reply.statusCode, answer }).where("id", "=", id).execute();
    } catch (error) {
      // What was to be done is done, so its claim stays: the same call again must not do it twice.
      request.log.warn({ err: error, request_id: request.id }, "the answer to an idempotent call could not be stored");
    }
    return body;
  }

  return {
    /** Runs the handler, or answers what it answered before. */
    async once(operation: ContractOperation, incoming: Incoming, run: () => Promise<unknown>): Promise<unknown> {
      const key = keyOf(operation, incoming);
      if (key === null || incoming.actor.kind !== "user") return run();
      const id = idOf(incoming.actor, key);
      incoming.request.idempotencyId = id.toString("hex");
      const bodyHash = hash(JSON.stringify([incoming.request.url, incoming.body ?? null]));
      for (;;) {
        if (await claim(id, operation, bodyHash)) return perform(id, key, operation, incoming, run);
        const answered = await earlier(id, operation.operationId, bodyHash, key);
        if (answered === "gone") continue;
        incoming.reply.code(answered.status).header("idempotent-replayed", "true");
        return answered.body ?? undefined;
      }
    },

    /** Forgets what no call may refer to any more. */
    prune: () =>
      db
        .deleteFrom("idempotency_keys")
        .where("created_at", "<", new Date(clock.now().getTime() - KEPT))
        .execute(),
  };
}

export type Idempotency = ReturnType<typeof createIdempotency>;

declare module "fastify" {
  interface FastifyRequest {
    /**
     * Names a call made with an `Idempotency-Key`. What moves money stores it in a unique column with what it did, so
     * that a call repeated after a crash finds that it was done.
     */
    idempotencyId?: string;
  }
}

/** Whether a call that failed changed nothing: it was refused, or others at the same time made its transaction end. */
function isUndone(error: unknown): boolean {
  return error instanceof AppError || isTransient(error) || isChangedMeanwhile(error);
}

/** Calls to models are not among them: they change nothing, and their answers are not kept. */
function keyOf({ method, path }: ContractOperation, { request }: Incoming): string | null {
  const key = request.headers["idempotency-key"];
  if (method !== "POST" || /^(\/deployments\/\{id\})?\/v1\//.test(path) || key === undefined) return null;
  if (typeof key !== "string" || key === "" || key.length > LONGEST_KEY)
    throw invalidRequest(`Idempotency-Key must be one text of 1 to ${LONGEST_KEY} characters.`, {
      param: "Idempotency-Key",
    });
  return key;
}

function idOf({ userId, organizationId }: SignedIn, key: string): Buffer {
  return hash(JSON.stringify([organizationId, userId, key]));
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function secretOf(key: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", "feather idempotent answer", 32));
}

function seal(text: string, key: string): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv("aes-256-gcm", secretOf(key), iv);
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

function open(sealed: Buffer, key: string): unknown {
  const decipher = createDecipheriv("aes-256-gcm", secretOf(key), sealed.subarray(0, IV));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
  const text = decipher.update(sealed.subarray(IV, sealed.length - TAG), undefined, "utf8") + decipher.final("utf8");
  return JSON.parse(text);
}

function cutOff(): AppError {
  return new AppError(
    409,
    "idempotency_conflict",
    "A call with this Idempotency-Key was cut off before its answer was stored, and may have been done. " +
      "Look whether it was. If not, make it again with a new key.",
  );
}

function otherCall(): AppError {
  return new AppError(
    409,
    "idempotency_conflict",
    "This Idempotency-Key was used for another call. Use a new key for each call.",
  );
}
