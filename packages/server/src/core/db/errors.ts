import { NoResultError } from "kysely";

const UNIQUE_VIOLATION = "23505";
const CHECK_VIOLATION = "23514";
const FOREIGN_KEY_VIOLATION = "23503";
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
const LOCK_NOT_AVAILABLE = "55P03";
const READ_ONLY = "25006";

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;

/** Whether a unique constraint was violated; with `constraint`, whether it was that one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== UNIQUE_VIOLATION) return false;
  return constraint === undefined || (error as { constraint?: unknown }).constraint === constraint;
}

/** Whether PostgreSQL aborted the transaction because of concurrent ones; a retry may succeed. */
export const isTransient = (error: unknown): boolean =>
  codeOf(error) === DEADLOCK_DETECTED || codeOf(error) === SERIALIZATION_FAILURE;

/** Whether a statement gave up waiting for a lock, at its `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

/** Whether a row that a foreign key references does not exist (any more). */
export const isForeignKeyViolation = (error: unknown): boolean => codeOf(error) === FOREIGN_KEY_VIOLATION;

/**
 * Whether a row no longer belongs to the partition that it was on its way to, because another one was made for it meanwhile:
 * it fits the next time. Violated constraints of a table have a name, unlike those of partitions.
 */
export const isPartitionViolation = (error: unknown): boolean =>
  codeOf(error) === CHECK_VIOLATION && (error as { constraint?: unknown }).constraint === undefined;

/** Whether another transaction created or deleted the affected rows between two of our statements. */
export const isConcurrentChange = (error: unknown): boolean =>
  isUniqueViolation(error) || isForeignKeyViolation(error) || error instanceof NoResultError;

/** PostgreSQL stops, starts, is full, has no connection left, cannot write, or has ended a transaction. */
const STORAGE_CODES = new Set(["57P01", "57P02", "57P03", "53100", "53200", "53300", READ_ONLY, "25P03"]);
/** PostgreSQL does not let the server in (any more): its role, its password, or its database. */
const ACCESS_CODES = new Set(["28000", "28P01", "3D000"]);
const CONNECT_CODES = new Set([
  ...["ECONNREFUSED", "ENOENT", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOTFOUND", "EAI_AGAIN"],
]);
const SOCKET_CALLS: ReadonlySet<unknown> = new Set(["connect", "read", "write", "getaddrinfo"]);
/** Messages of the driver's errors that have no code. */
const CONNECTION_ENDED_MESSAGE =
  /^(Connection terminated|timeout (exceeded when trying to connect|expired)|Client (has encountered a connection error|was closed))/;

/** Whether the database does not respond, accepts no more connections, or cannot write; not the caller's fault. */
export function isStorageUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isStorageUnavailable); // a name with several addresses
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (typeof code !== "string") return CONNECTION_ENDED_MESSAGE.test(error.message);
  if (STORAGE_CODES.has(code) || ACCESS_CODES.has(code) || /^08\d{3}$|^08P01$/.test(code)) return true;
  return CONNECT_CODES.has(code) && "syscall" in error && SOCKET_CALLS.has(error.syscall);
}

/** Throws an Error when the row of `pg_is_in_recovery() as is_standby` says that the database only reads. */
export function refuseStandby([row]: readonly { is_standby: boolean }[]): void {
  if (row?.is_standby !== true) return;
  throw Object.assign(
    new Error(
      "The address of the database leads to a read-only standby. It must lead to the server that takes changes.",
    ),
    { code: READ_ONLY },
  );
}
