import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../../testing/server.ts";

/** Years from the clock of the database. */
const NOW = new Date("2020-02-03T04:05:06.789Z");
let server: TestServer;

beforeAll(async () => {
  server = await createTestServer({ clock: { now: () => NOW } });
});
afterAll(() => server.close());

const subscriptionOf = (organizationId: string) =>
  server.db
    .selectFrom("subscriptions")
    .select(["created_at", "current_period_start_date"])
    .where("organization_id", "=", organizationId)
    .where("ended_at", "is", null)
    .execute();

test("the records of a new account carry the time of the server, not of the database", async () => {
  const { userId, organizationId } = await server.signInAdmin();
  const rows = await Promise.all([
    server.db
      .selectFrom("users")
      .select(["created_at", "updated_at"])
      .where("id", "=", userId)
      .executeTakeFirstOrThrow(),
    server.db
      .selectFrom("organizations")
      .select("created_at")
      .where("id", "=", organizationId)
      .executeTakeFirstOrThrow(),
    server.db.selectFrom("memberships").select("created_at").where("user_id", "=", userId).executeTakeFirstOrThrow(),
  ]);
  expect(rows).toEqual([{ created_at: NOW, updated_at: NOW }, { created_at: NOW }, { created_at: NOW }]);
  expect(await subscriptionOf(organizationId)).toEqual([{ created_at: NOW, current_period_start_date: NOW }]);
});

test("a plan granted by an admin begins at the time of the server", async () => {
  const admin = await server.signInAdmin();
  const { userId, organizationId } = await server.signUp();
  const body = { plan_id: "feather_scale", quantity: 1 };
  const given = await server.call(`/api/admin/users/${userId}`, { method: "PUT", token: admin.token, body });
  expect(given.status).toBe(200);
  expect(await subscriptionOf(organizationId)).toEqual([{ created_at: NOW, current_period_start_date: NOW }]);
});

test("a user who joins organizations at the moment of signing up still acts for their own", async () => {
  const hosts = await Promise.all(Array.from({ length: 8 }, () => server.signUp()));
  const joiner = await server.signUp();
  for (const { organizationId } of hosts)
    await server.db
      .insertInto("memberships")
      .values({ organization_id: organizationId, user_id: joiner.userId, role: "admin", created_at: NOW })
      .execute();
  const acting = await server.call("/api/organization", { token: joiner.token });
  expect(acting.body).toMatchObject({ id: joiner.organizationId });
  expect((await server.api.identity.usersRepository.findWithOrganization(joiner.userId))?.organization_id).toBe(
    joiner.organizationId,
  );
  const { body } = await server.call("/api/organizations", { token: joiner.token });
  const listed = (body as { items: { id: string }[] }).items.map(({ id }) => id);
  expect(listed).toEqual([joiner.organizationId, ...hosts.map(({ organizationId }) => organizationId)]);
});
