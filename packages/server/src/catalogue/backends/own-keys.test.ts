import { afterAll, beforeAll, expect, test } from "vitest";
import { createSealer, SEALING_PURPOSES } from "../../platform/core/secrets/sealing.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { createBackendKeysRepository } from "./backend-keys.repository.ts";
import { createBackendsRepository } from "./backends.repository.ts";
import { listStoredBackends } from "./backends.usecases.ts";

const BACKENDS = "/api/admin/backends";
let server: TestServer;
let admin: Account;

beforeAll(async () => {
  server = await createTestServer({ env: { FEATHER_OUTGOING_ALLOW: "127.0.0.1" } });
  admin = await server.signInAdmin();
});
afterAll(() => server.close());

const create = (body: object) => server.call(BACKENDS, { token: admin.token, body });
const change = (id: string, body: object) =>
  server.call(`${BACKENDS}/${id}`, { method: "PUT", token: admin.token, body });
const OTHER_SERVER = "http://127.0.0.1:9/v1";

test("a backend of a provider takes no keys of organizations until an admin says so", async () => {
  // A disabled backend is not asked for its models.
  const { body } = await create({ provider: "openrouter", enabled: false });
  expect(body).toMatchObject({ provider: "openrouter", own_keys: "off" });
  const { id } = body as { id: string };
  for (const own_keys of ["allowed", "required"]) {
    expect((await change(id, { own_keys })).body).toMatchObject({ own_keys });
    expect((await change(id, { weight: 2 })).body).toMatchObject({ own_keys });
  }
});

test("another server than a provider takes no keys of organizations, and the refusal says why", async () => {
  const refused = await create({ name: "box", base_url: OTHER_SERVER, own_keys: "allowed" });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("backends.own_keys_need_provider")]);
  expect(refused.text).toContain(
    "Only backends at the address of a known provider other than Vertex AI take keys of organizations.",
  );
  const { body } = await create({ name: "moving", provider: "groq", enabled: false, own_keys: "allowed" });
  const { id } = body as { id: string };
  expect((await change(id, { base_url: OTHER_SERVER })).status).toBe(400);
  const moved = await change(id, { base_url: OTHER_SERVER, own_keys: "off" });
  expect(moved.body).toMatchObject({ provider: null, own_keys: "off" });
});

test("calls go by what an admin has said of the keys of organizations", async () => {
  const made = await create({ name: "read", provider: "mistral", enabled: false, own_keys: "required" });
  const { id } = made.body as { id: string };
  const stored = createBackendsRepository(server.db);
  // Only an enabled one is read for calls, and would be asked for its models.
  const backendsRepository = {
    ...stored,
    list: async () => (await stored.list()).map((row) => ({ ...row, enabled: true })),
  };
  const repositories = { backendsRepository, backendKeysRepository: createBackendKeysRepository(server.db) };
  const sealer = createSealer(new Uint8Array(32), SEALING_PURPOSES.backendKeys);
  const read = async () => (await listStoredBackends(repositories, sealer)).find(({ name }) => name === "read");
  expect(await read()).toMatchObject({ own_keys: "required" });
  await change(id, { own_keys: "off" });
  expect(await read()).toMatchObject({ own_keys: "off" });
});
