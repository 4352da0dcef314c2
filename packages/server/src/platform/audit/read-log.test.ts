import { createTestClock } from "@feather/testing/clock";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const clock = createTestClock();
let server: TestServer;
let admin: Account;
let user: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
  user = await server.signUp();
});
beforeEach(async () => {
  admin = await server.signInAdmin();
});
afterAll(() => server.close());

async function readLog(actorId: string) {
  const rows = await server.db
    .selectFrom("audit_log")
    .select(["action", "target", "ip", "credential"])
    .where("actor_user_id", "=", actorId)
    .where("action", "in", ["users.read", "outbox.read", "account.export", "usage.export"])
    .orderBy("sequence", "desc")
    .execute();
  return rows;
}
const start = () => Math.floor(clock.at / 1_000) - 3_600;

describe("the audit log records with user, target and IP address:", () => {
  test.each<[string, string, () => string | null, () => Promise<{ status: number }>]>([
    [
      "an admin who reads about one user",
      "users.read",
      () => user.userId,
      () => server.call(`/api/admin/users/${user.userId}`, { token: admin.token }),
    ],
    [
      "an admin who reads the outbox",
      "outbox.read",
      () => null,
      () => server.call("/api/admin/outbox", { token: admin.token }),
    ],
    [
      "an admin who takes out a report of usage",
      "usage.export",
      () => null,
      () =>
        server.call("/api/admin/usage", {
          token: admin.token,
          body: { start: start(), end: start() + 60, format: "csv" },
        }),
    ],
    [
      "an organization's report of usage that is taken out",
      "usage.export",
      () => null,
      () => server.call("/api/usage/activity/report?format=csv", { token: admin.token }),
    ],
    [
      "an account that is taken out",
      "account.export",
      () => admin.userId,
      () => server.call("/api/account/export", { token: admin.token }),
    ],
  ])("the audit log records with user, target and IP address: %s", async (_what, action, target, act) => {
    expect((await act()).status).toBe(200);
    const [row] = await readLog(admin.userId);
    const credential = expect.stringMatching(/^session:ses_/);
    expect(row).toEqual({ action, target: target(), ip: "127.0.0.1", credential });
  });
});

test("the audit log records a page that is reloaded within ten minutes once", async () => {
  const read = () => server.call(`/api/admin/users/${user.userId}`, { token: admin.token });
  const before = (await readLog(admin.userId)).length;
  await read();
  clock.at += 9 * 60_000;
  await read();
  expect(await readLog(admin.userId)).toHaveLength(before + 1);
  clock.at += 60_000;
  await read();
  expect(await readLog(admin.userId)).toHaveLength(before + 2);
});

test("the audit log does not record a report that is only shown as an export", async () => {
  const before = (await readLog(user.userId)).length;
  expect((await server.call("/api/usage/activity/report", { token: user.token })).status).toBe(200);
  expect(await readLog(user.userId)).toHaveLength(before);
});
