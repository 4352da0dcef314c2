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
