import { NoResultError } from "kysely";

const UNIQUE_VIOLATION = "23505";
const FOREIGN_KEY_VIOLATION = "23503";
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === UNIQUE_VIOLATION;

/** PostgreSQL ended the transaction because of others at the same time; the same again may succeed. */
export const isTransient = (error: unknown): boolean =>
  codeOf(error) === DEADLOCK_DETECTED || codeOf(error) === SERIALIZATION_FAILURE;

/** Somebody else made or deleted what the statement was about between two statements of ours. */
export const isChangedMeanwhile = (error: unknown): boolean =>
  isUniqueViolation(error) || codeOf(error) === FOREIGN_KEY_VIOLATION || error instanceof NoResultError;

const STORAGE_CODES = new Set(["57P01", "57P02", "57P03", "53100", "53200", "53300", "25006"]);
const CONNECT_CODES = new Set(["ECONNREFUSED", "ENOENT", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);
/** What the driver says without a code of its own. */
const CONNECTION_ENDED =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** The database does not answer, takes no more connections, or cannot write: nothing that the caller did. */
export function isStorageUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (typeof code !== "string") return CONNECTION_ENDED.test(error.message);
  if (STORAGE_CODES.has(code) || /^08\d{3}$/.test(code)) return true;
  return CONNECT_CODES.has(code) && "syscall" in error && (error.syscall === "connect" || error.syscall === "read");
}
