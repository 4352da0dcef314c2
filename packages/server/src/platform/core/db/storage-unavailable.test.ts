import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../../testing/server.ts";
import { isStorageUnavailable } from "./errors.ts";

const clock = createTestClock("2026-05-01T12:00:00Z");
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ clock });
});
afterAll(() => server.close());

const failure = (code: string, more: object = {}) => Object.assign(new Error("No."), { code, ...more });

test.each([
  failure("57P01"),
  failure("57P03"),
  failure("08006"),
  failure("53100"),
  failure("53300"),
  failure("ECONNREFUSED", { syscall: "connect" }),
  failure("ENOENT", { syscall: "connect" }),
  failure("EPIPE", { syscall: "write" }),
  failure("28P01"),
  failure("08P01"),
  failure("EAI_AGAIN", { syscall: "getaddrinfo" }),
  new AggregateError([failure("ECONNREFUSED", { syscall: "connect" })]),
  new Error("timeout exceeded when trying to connect"),
  new Error("timeout expired"),
  new Error("Connection terminated unexpectedly"),
  new Error("Client was closed and is not queryable"),
])("recognizes %o as an unavailable database", (error) => {
  expect(isStorageUnavailable(error)).toBe(true);
});

test.each([failure("23505"), failure("ENOENT", { syscall: "open" }), new Error("Something else."), "text", null])(
  "does not recognize %o as an unavailable database",
  (error) => {
    expect(isStorageUnavailable(error)).toBe(false);
  },
);

test("a write to a full disk returns 503, and the server is not ready for a while", async () => {
  const owner = await server.signUp();
  await sql`create function fill_disk() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(server.db);
  await sql`create trigger fill_disk before insert on api_keys for each row execute function fill_disk()`.execute(
    server.db,
  );
  expect((await server.call("/api/health/ready")).status).toBe(200);
  const answer = await server.call("/api/api-keys", { token: owner.token, body: { name: "laptop" } });
  expect([answer.status, errorCode(answer.body), answer.headers.get("retry-after")]).toEqual([
    503,
    "storage_unavailable",
    "2",
  ]);
  expect((await server.call("/api/health/ready")).status).toBe(503);
  clock.at += 10_000;
  expect((await server.call("/api/health/ready")).status).toBe(200);
});
