import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MODEL } from "../../testing/chat.ts";
import type { Account } from "../../testing/server.ts";
import { createTwoServers, type TwoServers } from "../../testing/two-servers.ts";

const OTHER = "Qwen/Qwen3-0.6B";

let servers: TwoServers;
let admin: Account;

beforeAll(async () => {
  servers = await createTwoServers();
  admin = await servers.a.signInAdmin();
});
beforeEach(() => set("a", [MODEL]));
afterAll(() => servers.close());

const set = (at: "a" | "b", models: string[]) =>
  servers[at].call("/api/admin/routing/aliases/fast", { method: "PUT", token: admin.token, body: { models } });
/** Returns the first model that calls of the alias go to. Calls themselves also depend on the units of both servers. */
async function modelAt(at: "a" | "b") {
  const { status, text, body } = await servers[at].call("/v1/models/fast", { token: admin.token });
  expect(status, text).toBe(200);
  return (body as { alias_of: string[] }).alias_of[0];
}

test("a replica learns at once of an alias that another one has changed", async () => {
  await servers.settled();
  expect([await modelAt("a"), await modelAt("b")]).toEqual([MODEL, MODEL]);
  await set("a", [OTHER]);
  await servers.settled();
  expect([await modelAt("a"), await modelAt("b")]).toEqual([OTHER, OTHER]);
});

test("a replica learns at once of an order of backends that another one has set", async () => {
  const setOrder = (order: string) =>
    servers.a.call("/api/admin/routing", { method: "PUT", token: admin.token, body: { order } });
  const orderAt = async () => (await servers.b.api.routingRules.read()).order;
  expect(await orderAt()).toBe("balanced");
  await setOrder("price");
  await servers.settled();
  expect(await orderAt()).toBe("price");
  await setOrder("balanced");
});

test("two replicas that change one alias at the same time agree on one of the changes", async () => {
  await Promise.all([set("a", [MODEL]), set("b", [OTHER])]);
  await servers.settled();
  const answered = await modelAt("a");
  expect([MODEL, OTHER]).toContain(answered);
  expect(await modelAt("b")).toBe(answered);
});

test("a replica that has lost messages learns of a changed alias when it receives them again", async () => {
  await servers.settled();
  expect(await modelAt("b")).toBe(MODEL);
  await servers.disconnect();
  await set("a", [OTHER]);
  await servers.reconnect();
  await waitFor(async () => expect(await modelAt("b")).toBe(OTHER));
});
