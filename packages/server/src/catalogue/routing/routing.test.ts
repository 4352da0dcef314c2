import { errorCode } from "@feather/testing/errors";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errorOf, MODEL } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const OTHER = "Qwen/Qwen3-0.6B";
const ALIASES = "/api/admin/routing/aliases";

let server: TestServer;
let admin: Account;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.signInAdmin();
});
afterEach(async () => {
  for (const { name } of await list()) await remove(name);
  await server.removeUpstreams();
});
afterAll(() => server.close());

type Alias = { name: string; models: string[]; unknown_models: string[]; is_hidden: boolean };
const toPath = (name: string) => `${ALIASES}/${encodeURIComponent(name)}`;
const set = (name: string, models: string[]) =>
  server.call(toPath(name), { method: "PUT", token: admin.token, body: { models } });
const remove = (name: string) => server.call(toPath(name), { method: "DELETE", token: admin.token });
const list = async () => ((await server.call(ALIASES, { token: admin.token })).body as { items: Alias[] }).items;
const codeOf = ({ status, body }: { status: number; body: unknown }) => `${status} ${errorCode(body)}`;

describe("aliases of models", () => {
  test("are set, replaced, listed by name and removed", async () => {
    expect((await set("smart", [MODEL])).body).toMatchObject({ name: "smart", models: [MODEL], unknown_models: [] });
    await set("Company/Default", [OTHER]);
    await set("SMART", [OTHER, MODEL]);
    expect((await list()).map(({ name, models }) => [name, models])).toEqual([
      ["company/default", [OTHER]],
      ["smart", [OTHER, MODEL]],
    ]);
    expect((await remove("company/default")).status).toBe(204);
    expect(codeOf(await remove("company/default"))).toBe("404 routing.alias_not_found");
    expect((await list()).map(({ name }) => name)).toEqual(["smart"]);
  });

  test("say which of their models the catalogue does not have", async () => {
    expect((await set("fast", ["acme/deleted", MODEL])).body).toMatchObject({ unknown_models: ["acme/deleted"] });
    expect(await list()).toMatchObject([{ name: "fast", unknown_models: ["acme/deleted"], is_hidden: false }]);
  });

  test("say that a model has their name by now", async () => {
    await set("acme/later", [MODEL]);
    await server.api.catalogue.ensureModels([{ id: "acme/later", contextLength: null, parameterSize: null }]);
    expect(await list()).toMatchObject([{ name: "acme/later", is_hidden: true }]);
    await server.db.deleteFrom("models").where("id", "=", "acme/later").execute();
    server.api.catalogue.callableModels.invalidate();
  });

  test("cannot have the id of a model of the catalogue, or of one that a backend runs", async () => {
    expect(codeOf(await set(MODEL.toUpperCase(), [OTHER]))).toBe("409 routing.name_of_model");
    await server.addUpstream({}, ["acme/Served"]);
    expect(codeOf(await set("acme/served", [OTHER]))).toBe("409 routing.name_of_model");
    expect(await list()).toEqual([]);
  });

  test("do not stand for aliases, whichever of them is set first", async () => {
    await set("acme/first", [MODEL]);
    expect(codeOf(await set("fast", [MODEL, "acme/first"]))).toBe("409 routing.alias_of_alias");
    expect(codeOf(await set("acme/self", ["acme/self"]))).toBe("409 routing.alias_of_alias");
    await set("fast", ["acme/unknown"]);
    expect(codeOf(await set("acme/unknown", [MODEL]))).toBe("409 routing.name_of_target");
  });

  test.each([
    ["without models", "fast", []],
    ["of a model that is named twice", "fast", [MODEL, MODEL.toUpperCase()]],
    ["of something that is no model id", "fast", ["demo"]],
    ["with a space in the name", "my model", [MODEL]],
    ["with three parts", "a/b/c", [MODEL]],
    ["of nine models", "fast", Array.from({ length: 9 }, (_, index) => `acme/model-${index}`)],
  ])("are refused %s", async (_what, name, models) => {
    expect((await set(name, models)).status).toBe(400);
    expect(await list()).toEqual([]);
  });

  test("are for administrators, and leave entries in the audit log", async () => {
    const user = await server.signUp();
    const denied = await server.call(toPath("fast"), { method: "PUT", token: user.token, body: { models: [MODEL] } });
    expect(denied.status).toBe(404);
    await set("fast", [MODEL]);
    await remove("FAST");
    const entries = await server.db
      .selectFrom("audit_log")
      .select(["action", "target"])
      .where("action", "like", "routing.%")
      .where("target", "=", "fast")
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["routing.set_alias", "routing.delete_alias"]),
    );
  });
});

describe("lists of models for clients", () => {
  type Model = { id: string; alias_of?: string[]; context_length: number | null; availability: object };
  const models = async (query = "", headers: Record<string, string> = {}) =>
    (await server.call(`/v1/models${query}`, { token: admin.token, headers })).body as {
      data: Model[];
      total_count: number;
      links: { next: string | null };
    };

  test("have the aliases first, with what they stand for and the facts of the first model", async () => {
    await set("fast", ["acme/deleted", MODEL]);
    await set("broken", ["acme/deleted"]);
    const { data, total_count } = await models();
    expect(data.filter(({ alias_of }) => alias_of !== undefined)).toMatchObject([
      { id: "fast", alias_of: ["acme/deleted", MODEL] },
    ]);
    const model = data.find(({ id }) => id === MODEL);
    expect(data[0]).toEqual({
      ...model,
      id: "fast",
      alias_of: ["acme/deleted", MODEL],
      availability: { ...model?.availability, checked_at: expect.any(String) },
    });
    expect(total_count).toBe(data.length);
    expect((await server.call("/v1/models/FAST", { token: admin.token })).body).toMatchObject({
      id: "fast",
      alias_of: ["acme/deleted", MODEL],
      context_length: model?.context_length,
    });
    expect((await server.call("/v1/models/broken", { token: admin.token })).status).toBe(404);
  });

  test("have each alias and each model on one page", async () => {
    for (const name of ["a1", "a2", "a3"]) await set(name, [MODEL]);
    const all = (await models()).data.map(({ id }) => id);
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(...(await models(`?page=${page}&per_page=2`)).data.map(({ id }) => id));
    expect(pages).toEqual(all.slice(0, 8));
    expect((await models("?page=1&per_page=3")).links.next).toContain("page=2");
  });

  test("leave the aliases out when they are filtered", async () => {
    await set("fast", [MODEL]);
    expect((await models("?q=demo")).data.filter(({ alias_of }) => alias_of)).toEqual([]);
  });

  test("have the aliases in Anthropic's form too", async () => {
    await set("fast", [MODEL]);
    const { data } = await models("", { "anthropic-version": "2023-06-01" });
    expect(data[0]).toMatchObject({ type: "model", id: "fast" });
    const alias = await server.call("/v1/models/fast", { headers: { "anthropic-version": "2023-06-01" } });
    expect(alias.body).toMatchObject({ type: "model", id: "fast" });
  });
});

test("an unknown alias is an unknown model in lists for clients", async () => {
  const { status, body } = await server.call("/v1/models/none", { token: admin.token });
  expect([status, errorOf(body).code]).toEqual([404, "model_not_found"]);
});
