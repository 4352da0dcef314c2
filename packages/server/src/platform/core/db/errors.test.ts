import { createTestClock } from "@feather/testing/clock";
import { NoResultError } from "kysely";
import { describe, expect, test } from "vitest";
import {
  isConcurrentChange,
  isForeignKeyViolation,
  isLockTimeout,
  isPartitionViolation,
  isStorageUnavailable,
  isTransient,
  isUniqueViolation,
  refuseStandby,
} from "./errors.ts";
import { createStorageHealth } from "./storage-health.ts";

/** Returns an error of the driver. */
const errorWith = (fields: object, message = "It failed.") => Object.assign(new Error(message), fields);
const NO_ERRORS = [undefined, null, "23505", 23505, {}, new Error("23505")];

describe("errors of statements", () => {
  test("a violated unique constraint is recognized, and which one it was", () => {
    const error = errorWith({ code: "23505", constraint: "users_email_key" });
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, "users_email_key")).toBe(true);
    expect(isUniqueViolation(error, "other_key")).toBe(false);
    expect(isUniqueViolation(errorWith({ code: "23505" }), "users_email_key")).toBe(false);
  });

  test.each([
    ["a deadlock", "40P01", isTransient],
    ["a serialization failure", "40001", isTransient],
    ["a lock that was not available", "55P03", isLockTimeout],
    ["a missing row of a foreign key", "23503", isForeignKeyViolation],
  ] as const)("%s is recognized by its code", (_what, code, matches) => {
    expect(matches(errorWith({ code }))).toBe(true);
    expect(matches(errorWith({ code: "23514" }))).toBe(false);
    expect(NO_ERRORS.some(matches)).toBe(false);
  });

  test("a row that its partition rejects differs from one that violates a constraint of its table", () => {
    expect(isPartitionViolation(errorWith({ code: "23514" }))).toBe(true);
    expect(isPartitionViolation(errorWith({ code: "23514", constraint: "positive_amount" }))).toBe(false);
  });

  test("rows that another transaction created or deleted are a concurrent change", () => {
    const missing = new NoResultError({ kind: "SelectQueryNode" } as never);
    expect([errorWith({ code: "23505" }), errorWith({ code: "23503" }), missing].every(isConcurrentChange)).toBe(true);
    expect([errorWith({ code: "40P01" }), ...NO_ERRORS].some(isConcurrentChange)).toBe(false);
  });
});

describe("a database that cannot be used", () => {
  test.each([
    ["it is being stopped", { code: "57P01" }],
    ["it crashed", { code: "57P02" }],
    ["it is starting", { code: "57P03" }],
    ["its disk is full", { code: "53100" }],
    ["it has no memory left", { code: "53200" }],
    ["it has no connection left", { code: "53300" }],
    ["it is read-only", { code: "25006" }],
    ["it rejects the password", { code: "28P01" }],
    ["it does not have the database", { code: "3D000" }],
    ["the connection broke", { code: "08006" }],
    ["the protocol was violated", { code: "08P01" }],
    ["nothing listens", { code: "ECONNREFUSED", syscall: "connect" }],
    ["its socket is missing", { code: "ENOENT", syscall: "connect" }],
    ["its name cannot be found", { code: "ENOTFOUND", syscall: "getaddrinfo" }],
    ["the connection was reset", { code: "ECONNRESET", syscall: "read" }],
  ])("the database cannot be used when %s", (_why, fields) => {
    expect(isStorageUnavailable(errorWith(fields))).toBe(true);
  });

  test.each([
    "Connection terminated",
    "Connection terminated unexpectedly",
    "timeout exceeded when trying to connect",
    "timeout expired",
    "Client has encountered a connection error and is not queryable",
    "Client was closed and is not queryable",
  ])("the database cannot be used when the driver says: %s", (message) => {
    expect(isStorageUnavailable(new Error(message))).toBe(true);
  });

  test("a name with several addresses cannot be reached if one of them says so", () => {
    const refused = errorWith({ code: "ECONNREFUSED", syscall: "connect" });
    expect(isStorageUnavailable(new AggregateError([new Error("other"), refused]))).toBe(true);
    expect(isStorageUnavailable(new AggregateError([]))).toBe(false);
  });

  test.each([
    ["a violated constraint", errorWith({ code: "23505" })],
    ["a missing file of a model", errorWith({ code: "ENOENT", syscall: "open" })],
    ["a full disk of models", errorWith({ code: "ENOSPC", syscall: "write" })],
    ["another error with such a text", errorWith({}, "The Connection terminated")],
    ["a number as code", errorWith({ code: 57 }, "It failed.")],
    ["no error", { code: "57P01" }],
    ["nothing", undefined],
  ])("%s is no failure of the database", (_what, error) => expect(isStorageUnavailable(error)).toBe(false));

  test("a read-only standby is refused, with an error that says that the database cannot be used", () => {
    expect(() => refuseStandby([{ is_standby: true }])).toThrow(/read-only standby/);
    try {
      refuseStandby([{ is_standby: true }]);
    } catch (error) {
      expect(isStorageUnavailable(error)).toBe(true);
    }
    expect(() => refuseStandby([{ is_standby: false }])).not.toThrow();
    expect(() => refuseStandby([])).not.toThrow();
  });

  test("the server reports not ready for ten seconds after each failure of the database", () => {
    const clock = createTestClock();
    const health = createStorageHealth(clock);
    expect(health.isFailing()).toBe(false);
    health.recordFailure();
    clock.at += 9_999;
    expect(health.isFailing()).toBe(true);
    health.recordFailure();
    clock.at += 9_999;
    expect(health.isFailing()).toBe(true);
    clock.at += 1;
    expect(health.isFailing()).toBe(false);
  });
});
