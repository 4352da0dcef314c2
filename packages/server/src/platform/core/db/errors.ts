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

/** Returns whether a unique constraint was violated; with `constraint`, whether it was that one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== UNIQUE_VIOLATION) return false;
  return constraint === undefined || (error as { constraint?: unknown }).constraint === constraint;
}

/** Returns whether PostgreSQL aborted the transaction because of concurrent ones, so that a retry may succeed. */
export const isTransient = (error: unknown): boolean =>
  codeOf(error) === DEADLOCK_DETECTED || codeOf(error) === SERIALIZATION_FAILURE;

/** Returns whether a statement stopped waiting for a lock at its `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

/** Returns whether a row that a foreign key references does not exist, or no longer exists. */
export const isForeignKeyViolation = (error: unknown): boolean => codeOf(error) === FOREIGN_KEY_VIOLATION;

/**
 * Returns whether a row was rejected by its partition because a new partition for it was created meanwhile. A retry
 * succeeds. Unlike constraints of tables, those of partitions have no name.
 */
export const isPartitionViolation = (error: unknown): boolean =>
  codeOf(error) === CHECK_VIOLATION && (error as { constraint?: unknown }).constraint === undefined;

/** Returns whether another transaction created or deleted the affected rows between two statements. */
export const isConcurrentChange = (error: unknown): boolean =>
  isUniqueViolation(error) || isForeignKeyViolation(error) || error instanceof NoResultError;

/** Codes of a server that stops, starts, is full, has no connection left, cannot write, or has ended a transaction. */
const STORAGE_CODES = new Set(["57P01", "57P02", "57P03", "53100", "53200", "53300", READ_ONLY, "25P03"]);
/** Codes of a server that rejects the role, its password or its database. */
const ACCESS_CODES = new Set(["28000", "28P01", "3D000"]);
const CONNECT_CODES = new Set([
  ...["ECONNREFUSED", "ENOENT", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOTFOUND", "EAI_AGAIN"],
]);
const SOCKET_CALLS: ReadonlySet<unknown> = new Set(["connect", "read", "write", "getaddrinfo"]);
/** Matches messages of errors of the driver without a code. */
const CONNECTION_ENDED_MESSAGE =
  /^(Connection terminated|timeout (exceeded when trying to connect|expired)|Client (has encountered a connection error|was closed))/;

/** Returns whether the database does not respond, accepts no more connections, or cannot write. */
export function isStorageUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isStorageUnavailable); // a name with several addresses
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (typeof code !== "string") return CONNECTION_ENDED_MESSAGE.test(error.message);
  if (STORAGE_CODES.has(code) || ACCESS_CODES.has(code) || /^08\d{3}$|^08P01$/.test(code)) return true;
  return CONNECT_CODES.has(code) && "syscall" in error && SOCKET_CALLS.has(error.syscall);
}

/** Throws an Error if the row of `pg_is_in_recovery() as is_standby` says that the database is read-only. */
export function refuseStandby([row]: readonly { is_standby: boolean }[]): void {
  if (row?.is_standby !== true) return;
  throw Object.assign(
    new Error(
      "The address of the database leads to a read-only standby. It must lead to the server that takes changes.",
    ),
    { code: READ_ONLY },
  );
}
