import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createChatRequest } from "../../testing/chat.ts";
import { PRIVATE_HOSTS, startCanary } from "../../testing/private-addresses.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

let server: TestServer;
let admin: Account;
let canary: Awaited<ReturnType<typeof startCanary>>;

beforeAll(async () => {
  canary = await startCanary();
  server = await createTestServer({ env: { FEATHER_OUTGOING_ALLOW: "127.0.0.1:1" } });
  admin = await server.signInAdmin();
});
beforeEach(() => server.removeUpstreams());
afterAll(async () => {
  await server.close();
  await canary.close();
});

const BACKENDS = "/api/admin/backends";
const names = async () =>
  ((await server.call(BACKENDS, { token: admin.token })).body as { items: { name: string }[] }).items.map(
    ({ name }) => name,
  );

describe("a backend at an address that is not public", () => {
  test.each(PRIVATE_HOSTS)("rejects a backend at %s", async (host) => {
    const body = { name: "inside", base_url: `http://${host}:${canary.port}/v1`, models: ["me/one"] };
    const made = await server.call(BACKENDS, { token: admin.token, body });
    expect([made.status, errorCode(made.body)]).toEqual([
      400,
      expect.stringMatching(/^(outgoing\.address_refused|invalid_request)$/),
    ]);
    expect(await names()).not.toContain("inside");
    expect(canary.hits).toEqual([]);
  });

  test("rejects changing a backend to a private address", async () => {
    const body = { name: "allowed", base_url: "http://127.0.0.1:1/v1", models: ["me/one"] };
    const { id } = (await server.call(BACKENDS, { token: admin.token, body })).body as { id: string };
    for (const host of ["127.0.0.1", "localhost", "[::1]", "169.254.169.254"]) {
      const changed = await server.call(`${BACKENDS}/${id}`, {
        method: "PUT",
        token: admin.token,
        body: { ...body, base_url: `http://${host}:${canary.port}/v1` },
      });
      expect([host, changed.status]).toEqual([host, 400]);
    }
    expect((await server.call(`${BACKENDS}/${id}`, { token: admin.token })).body).toMatchObject(body);
    expect((await server.call(`${BACKENDS}/${id}`, { method: "DELETE", token: admin.token })).status).toBe(204);
  });

  test("the server sends no request to a stored private address of a backend, neither for models nor in a test or a call", async () => {
    const at = new Date();
    const row = {
      id: "bck_old",
      name: "old",
      base_url: `http://127.0.0.1:${canary.port}/v1`,
      models: ["me/old"],
      created_at: at,
      updated_at: at,
    };
    await server.db
      .insertInto("backends")
      .values({ ...row, weight: 1, enabled: true })
      .execute();
    await server.api.backends.discovery.refresh();
    const tried = await server.call(`${BACKENDS}/bck_old/test`, { method: "POST", token: admin.token });
    expect(tried.body).toMatchObject({ ok: false, error: expect.stringContaining("is not a public address") });
    for (const stream of [false, true]) {
      const body = createChatRequest({ model: "me/old", stream });
      const call = await server.call("/v1/chat/completions", { token: admin.token, body });
      expect(call.status).toBeGreaterThanOrEqual(502);
    }
    expect(canary.hits).toEqual([]);
    await server.db.deleteFrom("backends").where("id", "=", "bck_old").execute();
    await server.api.backends.discovery.refresh();
  });
});

describe("addresses that are only passed on or kept", () => {
  test("the server sends no request to image URLs of a chat", async () => {
    await server.db
      .updateTable("models")
      .set({ input_modalities: ["text", "image"] })
      .where("id", "=", "feather/demo")
      .execute();
    const upstream = await server.addUpstream();
    for (const host of ["127.0.0.1", "localhost", "[::1]", "2130706433"]) {
      const url = `http://${host}:${canary.port}/picture.png`;
      const content = [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url } },
      ];
      await server.call("/v1/chat/completions", {
        token: admin.token,
        body: createChatRequest({ messages: [{ role: "user", content }] }),
      });
    }
    expect(upstream.recordedRequests).toEqual([]);
    expect(canary.hits).toEqual([]);
  });

  test("the server sends no request to URLs of an application", async () => {
    const inside = `http://127.0.0.1:${canary.port}`;
    const made = await server.call("/api/application", {
      token: admin.token,
      body: {
        name: "App",
        description: "An app.",
        homepage_url: `${inside}/home`,
        logo_url: `${inside}/logo.png`,
        redirect_uris: [`${inside}/callback`],
        scopes: ["user.read"],
      },
    });
    expect([201, 400]).toContain(made.status);
    expect(canary.hits).toEqual([]);
  });
});
