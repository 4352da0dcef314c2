import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExpressionBuilder } from "kysely";
import type { Actor, SignedInActor } from "../platform/core/auth/actor.ts";
import { bind } from "../platform/core/bind.ts";
import type { Clock } from "../platform/core/clock.ts";
import type { Database } from "../platform/core/db/connect.ts";
import { isConcurrentChange, isTransient } from "../platform/core/db/errors.ts";
import type { DB } from "../platform/core/db/schema.generated.ts";
import { AppError, errors } from "../platform/core/errors/index.ts";
import { createSealer, SEALING_PURPOSES, type Sealer } from "../platform/core/secrets/sealing.ts";
import { DAY_MS } from "../platform/core/time.ts";
import type { ContractOperation } from "./contract.ts";

type IdempotentCall = { actor: Actor; request: FastifyRequest; reply: FastifyReply; body: unknown };
type StoredAnswer = { status: number; body: unknown };
type Context = { db: Database; clock: Clock };

const TTL_MS = DAY_MS;
const MAX_KEY_LENGTH = 200;
/** The polling interval and time limit of a call that waits for the same call, which is still running. */
const POLL_INTERVAL_MS = 50;
const MAX_WAIT_MS = 30_000;
/**
 * A call without an answer after this time was interrupted, or its answer could not be stored. If its handler stores the
 * key, the call runs again and finds its own result. Any other call is refused, since it might take effect twice.
 */
const ABANDONED_AFTER_MS = 120_000;

/**
 * Creates the handling of `Idempotency-Key`, with which a POST runs once: for 24 hours, the same call with the same key and
 * credential waits for the first one and gets its answer. Answers may contain new secrets, so they are stored encrypted
 * with a key that is derived from the caller's `Idempotency-Key`, of which only a hash is stored.
 */
export function createIdempotency(db: Database, clock: Clock) {
  return bind({ db, clock }, { runOnce, deleteExpired });
}

export type Idempotency = ReturnType<typeof createIdempotency>;

/** Runs the handler, or returns the stored answer of the first call. */
async function runOnce(
  context: Context,
  operation: ContractOperation,
  call: IdempotentCall,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const key = readKey(operation, call);
  if (key === null || call.actor.kind !== "user") return run();
  const id = createId(call.actor, key);
  call.request.idempotencyId = id.toString("hex");
  const bodyHash = hash(JSON.stringify([call.request.url, call.body ?? null, holderOf(call.actor)]));
  for (;;) {
    if (await claimKey(context, id, operation, bodyHash)) return runAndStore(context, id, key, operation, call, run);
    const storedAnswer = await waitForAnswer(context, id, operation.operationId, bodyHash, key);
    if (storedAnswer === "gone") continue;
    call.reply.code(storedAnswer.status).header("idempotent-replayed", "true");
    return storedAnswer.body ?? undefined;
  }
}

/** Deletes expired keys. */
function deleteExpired({ db, clock }: Context) {
  return db
    .deleteFrom("idempotency_keys")
    .where("created_at", "<", new Date(clock.now().getTime() - TTL_MS))
    .execute();
}

async function claimKey(
  { db, clock }: Context,
  id: Buffer,
  { operationId, storesIdempotencyKey }: ContractOperation,
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
            eb("idempotency_keys.created_at", "<", new Date(now.getTime() - TTL_MS)),
            eb.and([
              eb.val(storesIdempotencyKey),
              eb("idempotency_keys.status", "is", null),
              eb("idempotency_keys.created_at", "<", new Date(now.getTime() - ABANDONED_AFTER_MS)),
            ]),
          ]),
        ),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

async function waitForAnswer(
  { db, clock }: Context,
  id: Buffer,
  operationId: string,
  bodyHash: Buffer,
  key: string,
): Promise<StoredAnswer | "gone"> {
  for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline; ) {
    const row = await db.selectFrom("idempotency_keys").selectAll().where("id", "=", id).executeTakeFirst();
    if (!row) return "gone";
    if (row.operation_id !== operationId || !row.body_hash.equals(bodyHash))
      throw errors.idempotencyConflict(
        "This Idempotency-Key was used for another call, or with another credential. Use a new key for each call.",
      );
    if (row.status === null && clock.now().getTime() - row.created_at.getTime() >= ABANDONED_AFTER_MS)
      throw outcomeUnknown();
    if (row.status !== null) return { status: row.status, body: row.answer && readAnswer(row.answer, key) };
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  throw errors.idempotencyConflict("The same call is still running. Ask again in a moment.", {
    retryAfterSeconds: 2,
  });
}

function isUnanswered(id: Buffer) {
  return (eb: ExpressionBuilder<DB, "idempotency_keys">) => eb.and([eb("id", "=", id), eb("status", "is", null)]);
}

/** Deletes the claim, so that the call can be repeated. */
function releaseClaim({ db }: Context, id: Buffer) {
  return db.deleteFrom("idempotency_keys").where(isUnanswered(id)).execute();
}

/** Marks the claim as abandoned: the call may have taken effect, so repetitions are refused at once. */
function abandonClaim({ db, clock }: Context, id: Buffer) {
  return db
    .updateTable("idempotency_keys")
    .set({ created_at: new Date(clock.now().getTime() - ABANDONED_AFTER_MS) })
    .where(isUnanswered(id))
    .execute();
}

async function runAndStore(
  context: Context,
  id: Buffer,
  key: string,
  { storesIdempotencyKey }: ContractOperation,
  { request, reply }: IdempotentCall,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const body = await run().catch(async (error: unknown) => {
    const endClaim = storesIdempotencyKey || isWithoutEffect(error) ? releaseClaim : abandonClaim;
    await endClaim(context, id).catch((failure: unknown) => {
      request.log.warn({ err: failure, request_id: request.id }, "the claim of a failed call stays as it is");
    });
    throw error;
  });
  const answer = body === undefined ? null : createAnswerSealer(key).seal(JSON.stringify(body));
  try {
    await context.db
      .updateTable("idempotency_keys")
      .set({ status: reply.statusCode, answer })
      .where("id", "=", id)
      .execute();
  } catch (error) {
    // The call has taken effect, so its claim stays: a repetition must not run it again.
    request.log.warn({ err: error, request_id: request.id }, "the answer to an idempotent call could not be stored");
  }
  return body;
}

declare module "fastify" {
  interface FastifyRequest {
    /**
     * Identifies a call with an `Idempotency-Key`. Handlers that move money store it in a unique column with their result,
     * so that a call that is repeated after a crash finds that result.
     */
    idempotencyId?: string;
  }
}

/** Returns whether a failed call had no effect: it was refused, or its transaction was rolled back. */
function isWithoutEffect(error: unknown): boolean {
  return error instanceof AppError || isTransient(error) || isConcurrentChange(error);
}

/**
 * Returns the `Idempotency-Key`, or null if it does not apply: calls to models change nothing, and their answers are not
 * stored.
 */
function readKey({ method, path }: ContractOperation, { request }: IdempotentCall): string | null {
  const key = request.headers["idempotency-key"];
  if (method !== "POST" || /^(\/deployments\/\{id\})?\/v1\//.test(path) || key === undefined) return null;
  if (typeof key !== "string" || key === "" || key.length > MAX_KEY_LENGTH)
    throw errors.invalidRequest(`Idempotency-Key must be one text of 1 to ${MAX_KEY_LENGTH} characters.`, {
      param: "Idempotency-Key",
    });
  return key;
}

function createId({ userId, organizationId }: SignedInActor, key: string): Buffer {
  return hash(JSON.stringify([organizationId, userId, key]));
}

/**
 * Returns the identity that a key belongs to. Answers may contain secrets, so only the credential that made the call gets
 * them again; with another key of the same user, the call is a different one. Access tokens of an application change every
 * hour, so the grant identifies their holder.
 */
function holderOf({ credential }: SignedInActor): readonly string[] {
  return [credential.type, credential.type === "oauth" ? credential.delegation.grantId : credential.id];
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Creates the encryption of answers, which can be read only with the key that the caller chose. */
function createAnswerSealer(key: string): Sealer {
  return createSealer(Buffer.from(key), SEALING_PURPOSES.idempotentAnswers);
}

function readAnswer(sealed: Buffer, key: string): unknown {
  return JSON.parse(createAnswerSealer(key).open(sealed));
}

function outcomeUnknown(): AppError {
  return errors.idempotencyConflict(
    "A call with this Idempotency-Key was cut off before its answer was stored, and may have been done. " +
      "Look whether it was. If not, make it again with a new key.",
  );
}
