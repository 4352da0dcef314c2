import { createTestClock } from "@feather/testing/clock";
import { expect, test } from "vitest";
import type { AuditEvent } from "../core/audit.ts";
import type { SignedInActor } from "../core/auth/actor.ts";
import { MINUTE_MS } from "../core/time.ts";
import { createDenialLog, type Denial } from "./denial-log.ts";

function actor(userId: string): SignedInActor {
  return {
    kind: "user",
    userId,
    organizationId: `org_of_${userId}`,
    role: "admin",
    isAdmin: false,
    emailVerified: true,
    scopes: [],
    credential: { type: "session", id: `ses_of_${userId}`, impersonatedBy: null },
  };
}
const IP = "203.0.113.9";
const denial = (fields: Partial<Denial> = {}): Denial => ({
  actor: actor("usr_1"),
  ip: IP,
  operation: "admin.users.list",
  reason: "not_an_admin",
  requestId: "req_1",
  ...fields,
});

function setUp(maxRows?: { perUser: number; unknown: number; all: number }) {
  const clock = createTestClock("1970-01-01T00:00:00Z");
  const acts: AuditEvent[] = [];
  const errors: unknown[] = [];
  const store = { isBroken: false };
  const record = async (act: AuditEvent) => {
    if (store.isBroken) throw new Error("no database");
    acts.push(act);
  };
  const denials = createDenialLog({ record }, clock, (error) => errors.push(error), maxRows);
  return { clock, acts, errors, store, denials, details: () => acts.map((act) => act.details) };
}

test("the denial log records the first denial immediately with user, operation and reason", async () => {
  const { denials, acts } = setUp();
  denials.record(denial());
  await denials.settled();
  const details = { operation: "admin.users.list", reason: "not_an_admin", request_id: "req_1" };
  expect(acts).toEqual([{ actor: { ...actor("usr_1"), ip: IP }, action: "access.denied", details }]);
});

test("the denial log records equal denials as one row, and one more with their count after ten minutes", async () => {
  const { denials, clock, details } = setUp();
  for (let call = 0; call < 100; call++) denials.record(denial({ requestId: `req_${call}` }));
  await denials.job.run();
  expect(details()).toHaveLength(1);
  clock.at += 10 * MINUTE_MS;
  await denials.job.run();
  expect(details().slice(1)).toEqual([
    { operation: "admin.users.list", reason: "not_an_admin", request_id: "req_0", repeated: 99 },
  ]);
  clock.at += 10 * MINUTE_MS;
  await denials.job.run();
  expect(details()).toHaveLength(2);
});

test("the denial log adds no row after ten minutes for a denial that was not repeated", async () => {
  const { denials, clock, details } = setUp();
  denials.record(denial());
  clock.at += 10 * MINUTE_MS;
  denials.record(denial({ requestId: "req_2" }));
  await denials.settled();
  expect(details()).toEqual([
    expect.objectContaining({ request_id: "req_1" }),
    expect.objectContaining({ request_id: "req_2" }),
  ]);
});

test.each<[string, Partial<Denial>]>([
  ["another user", { actor: actor("usr_2") }],
  ["another address", { ip: "203.0.113.10" }],
  ["another operation", { operation: "admin.audit" }],
  ["another reason", { reason: "key_scope_denied" }],
])("a denial of %s is recorded in a separate row", async (_what, other) => {
  const { denials, acts } = setUp();
  denials.record(denial());
  denials.record(denial(other));
  await denials.settled();
  expect(acts).toHaveLength(2);
});

test("the denial log limits the rows of one user and leaves room for others", async () => {
  const { denials, acts, details } = setUp({ perUser: 3, unknown: 3, all: 100 });
  for (let call = 0; call < 50; call++) denials.record(denial({ operation: `operation.${call}` }));
  denials.record(denial({ actor: actor("usr_2") }));
  await denials.settled();
  expect(acts).toHaveLength(4);
  expect(details().at(-1)).toMatchObject({ refusals_left_out: 47 });
});

test("the denial log limits the rows of callers without a known credential, and leaves room for users", async () => {
  const { denials, acts } = setUp({ perUser: 3, unknown: 2, all: 100 });
  for (let call = 0; call < 50; call++)
    denials.record(denial({ actor: null, ip: `203.0.113.${call}`, reason: "rate_limit_exceeded" }));
  denials.record(denial());
  await denials.settled();
  expect(acts).toMatchObject([
    { userId: null, ip: "203.0.113.0", details: { reason: "rate_limit_exceeded" } },
    { userId: null, ip: "203.0.113.1" },
    { actor: { userId: "usr_1" }, details: { refusals_left_out: 48 } },
  ]);
});

test("the denial log limits the rows of all users together", async () => {
  const { denials, acts, clock } = setUp({ perUser: 3, unknown: 3, all: 10 });
  for (let call = 0; call < 200; call++) denials.record(denial({ actor: actor(`usr_${call}`) }));
  await denials.settled();
  expect(acts).toHaveLength(10);
  clock.at += 10 * MINUTE_MS;
  denials.record(denial());
  await denials.settled();
  expect(acts).toHaveLength(11);
});

test("the denial log reports a row that cannot be written and writes the next one", async () => {
  const { denials, acts, errors, store } = setUp();
  store.isBroken = true;
  denials.record(denial());
  await denials.settled();
  expect([acts.length, errors.length]).toEqual([0, 1]);
  store.isBroken = false;
  denials.record(denial({ reason: "key_scope_denied" }));
  await denials.settled();
  expect(acts).toHaveLength(1);
});
