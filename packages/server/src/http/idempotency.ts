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
/** Polling interval and time limit for a call that waits for the same call, which is still running. */
const POLL = 50;
const PATIENCE = 30_000;
/**
 * A call without an answer after this time was interrupted, or its answer could not be stored. If its handler stores
 * the key, the call runs again and finds its own result; any other call is refused, since it might be done twice.
 */
const ABANDONED = 120_000;
const IV = 12;
const TAG = 16;

/**
 * Runs a POST with an `Idempotency-Key` once: for 24 hours, the same call with the same key by the same user waits for
 * the first one and gets its answer. Answers may contain new secrets, so they are stored encrypted with a key derived
 * from the caller's `Idempotency-Key`, of which only a hash is stored.
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

  /** Deletes the claim, so that the call may be made again. */
  const release = (id: Buffer) => db.deleteFrom("idempotency_keys").where(unanswered(id)).execute();

  /** Marks the claim as abandoned: the call may have taken effect, so repetitions are refused at once. */
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
      // The call has taken effect, so its claim stays: a repetition must not run it again.
      request.log.warn({ err: error, request_id: request.id }, "the answer to an idempotent call could not be stored");
    }
    return body;
  }

  return {
    /** Runs the handler, or returns the stored answer of the first call. */
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

    /** Deletes expired keys. */
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
     * Identifies a call with an `Idempotency-Key`. Handlers that move money store it in a unique column with their
     * result, so that a call repeated after a crash finds what was done.
     */
    idempotencyId?: string;
  }
}

/** Whether a failed call had no effect: it was refused, or its transaction was rolled back. */
function isUndone(error: unknown): boolean {
  return error instanceof AppError || isTransient(error) || isChangedMeanwhile(error);
}

/**
 * The `Idempotency-Key`, or null if it does not apply: calls to models change nothing, and their answers are not
 * stored.
 */
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
