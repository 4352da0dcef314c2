import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createChatRequest, MODEL } from "../../testing/chat.ts";
import type { Account } from "../../testing/server.ts";
import { createTwoServers, type TwoServers } from "../../testing/two-servers.ts";

const OTHER = "Qwen/Qwen3-0.6B";

let servers: TwoServers;
let admin: Account;
let open: Account;

beforeAll(async () => {
  servers = await createTwoServers();
  admin = await servers.a.signInAdmin();
  open = await servers.a.signUpOnPlan({});
  const { baseUrl } = await servers.a.addUpstream({}, [MODEL, OTHER]);
  const models = new Map([MODEL, OTHER].map((id) => [id, id]));
  servers.b.api.backends.registry.set({ name: "fake-1", source: "settings", baseUrl, weight: 1, models });
});
beforeEach(() => set("a", [MODEL]));
afterAll(() => servers.close());

const set = (at: "a" | "b", models: string[]) =>
  servers[at].call("/api/admin/routing/aliases/fast", { method: "PUT", token: admin.token, body: { models } });
async function modelAt(at: "a" | "b") {
  const { body } = await servers[at].call("/v1/chat/completions", {
    token: open.token,
    body: createChatRequest({ model: "fast" }),
  });
  return (body as { model: string }).model;
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
