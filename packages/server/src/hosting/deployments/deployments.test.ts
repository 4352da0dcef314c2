import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createPrivateCloudServer,
  DEMO_MODEL,
  DEPLOYMENTS,
  type JsonObject,
  type PrivateCloudServer,
} from "../../testing/private-cloud.ts";
import type { Account } from "../../testing/server.ts";

let server: PrivateCloudServer;
let owner: Account;

beforeAll(async () => {
  server = await createPrivateCloudServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.signUpOwner();
});

const create = (fields: JsonObject = {}, token = owner.token) =>
  server.call(DEPLOYMENTS, { token, body: server.body(fields) });
const audited = async (action: string) =>
  (await server.db.selectFrom("audit_log").select("target").where("action", "=", action).execute()).map(
    ({ target }) => target,
  );

describe("creating a deployment", () => {
  test("creating a deployment returns the defaults, a URL, and a token that is shown once", async () => {
    const { status, body } = await create({ name: "support-bot" });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      name: "support-bot",
      organization_id: owner.organizationId,
      created_by: owner.userId,
      model_id: DEMO_MODEL,
      revision: null,
      min_replicas: 0,
      max_replicas: 1,
      scale_to_zero_after_s: 3600,
      autoscale: { metric: "pending_requests", target: 4 },
      engine_args: {},
      visibility: "private",
      state: "pending",
      ready_replicas: 0,
    });
    expect(body.token).toMatch(/^dpt_/);
    expect(body.url).toContain(`/api/deployments/${body.id}/v1`);
    const shown = await server.call(`${DEPLOYMENTS}/${body.id}`, { token: owner.token });
    expect(shown.text).not.toContain(String(body.token));
    expect(await audited("deployments.create")).toContain(body.id);
    const hashes = await server.db
      .selectFrom("deployment_tokens")
      .selectAll()
      .where("deployment_id", "=", String(body.id))
      .execute();
    expect(JSON.stringify(hashes)).not.toContain(String(body.token).slice(4, 20));
  });

  test("creating a deployment accepts every setting", async () => {
    const fields = {
      min_replicas: 1,
      max_replicas: 3,
      scale_to_zero_after_s: null,
      autoscale: { metric: "pending_requests", target: 2 },
      engine_args: { context: 512, sequences: 2, threads: 1 },
      visibility: "public",
    };
    const { id } = await server.deploy(owner, fields);
    expect((await server.call(`${DEPLOYMENTS}/${id}`, { token: owner.token })).body).toMatchObject(fields);
    await server.waitForState(owner, id, "running");
    const started = server.engines.all.at(-1)?.model;
    expect(started).toMatchObject({ id: DEMO_MODEL, contextLength: 512, sequences: 2, threads: 1 });
  });

  test("creating a deployment finds the model by an id in any letter case", async () => {
    expect((await create({ model_id: DEMO_MODEL.toUpperCase() })).body.model_id).toBe(DEMO_MODEL);
  });

  test("creating a deployment raises max_replicas to min_replicas if only that is given", async () => {
    expect((await create({ min_replicas: 2 })).body).toMatchObject({ min_replicas: 2, max_replicas: 2 });
  });

  test.each<[string, JsonObject, number, string | undefined]>([
    ["an unknown provider", { provider_id: "moon" }, 400, "invalid_request"],
    ["an unknown region", { region: "eu-west-1" }, 400, "invalid_request"],
    ["an unknown machine", { instance_type: "l40s" }, 400, "invalid_request"],
    ["an unknown model", { model_id: "nobody/nothing" }, 404, "model_not_found"],
    ["a model whose file is not here", { model_id: "Qwen/Qwen3-4B" }, 409, "deployments.model_not_here"],
    ["another revision than the one here", { revision: "v2" }, 409, "deployments.revision_not_here"],
    [
      "more context than there is memory",
      { engine_args: { context: 1e6, sequences: 64 } },
      409,
      "deployments.too_large",
    ],
    ["least above most", { min_replicas: 3, max_replicas: 2 }, 400, "invalid_request"],
    ["more replicas than the machine runs", { max_replicas: 100 }, 400, "invalid_request"],
    [
      "a measure that nothing takes here",
      { autoscale: { metric: "gpu_utilization", target: 1 } },
      400,
      "invalid_request",
    ],
    ["a target of nothing", { autoscale: { metric: "pending_requests", target: 0 } }, 400, "invalid_request"],
    ["an unknown argument of the engine", { engine_args: { socket: "/tmp/x" } }, 400, "invalid_request"],
    ["an argument that is no number", { engine_args: { context: "512; rm -rf /" } }, 400, "invalid_request"],
    ["an argument out of bounds", { engine_args: { sequences: 0 } }, 400, "invalid_request"],
    ["a name with capitals", { name: "Bot" }, 400, "invalid_request"],
    ["a name of two characters", { name: "ab" }, 400, "invalid_request"],
    ["too short an idle time", { scale_to_zero_after_s: 5 }, 400, "invalid_request"],
    ["an unknown field", { token: "dpt_mine" }, 400, "invalid_request"],
    ["an unknown visibility", { visibility: "secret" }, 400, "invalid_request"],
    ["a replica too few", { max_replicas: 0 }, 400, "invalid_request"],
  ])("creating a deployment rejects %s", async (_what, fields, status, code) => {
    const answer = await create(fields);
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
    const { body } = await server.call(DEPLOYMENTS, { token: owner.token });
    expect(body.items).toEqual([]);
  });

  test("rejects a duplicate name of a deployment within an organization, also in concurrent requests", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: "same" })));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 202).map(({ body }) => errorCode(body)))).toEqual(
      new Set(["deployments.name_taken"]),
    );
    const other = await server.signUpOwner();
    expect((await create({ name: "same" }, other.token)).status).toBe(202);
  });

  test("rejects a deployment on a plan without private cloud", async () => {
    const poor = await server.signUpOnPlan({ private_cloud: false });
    const answer = await create({}, poor.token);
    expect([answer.status, errorCode(answer.body)]).toEqual([403, "deployments.not_on_plan"]);
  });

  test("rejects more than a hundred deployments of an organization", async () => {
    const { id } = await server.deploy(owner);
    const row = await server.db.selectFrom("deployments").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const more = Array.from({ length: 99 }, (_, index) => ({
      ...row,
      id: `dep_${owner.userId}_${index}`,
      name: `more-${index}`,
      engine_args: "{}",
      paused: true,
    }));
    await server.db.insertInto("deployments").values(more).execute();
    const answer = await create();
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "deployments.limit_reached"]);
  });

  test("creating a deployment repeats the response with the same token for the same Idempotency-Key", async () => {
    const body = server.body();
    const attempt = () =>
      server.call(DEPLOYMENTS, { token: owner.token, body, headers: { "idempotency-key": "once" } });
    const [first, second] = [await attempt(), await attempt()];
    expect([second.status, second.body.token]).toEqual([202, first.body.token]);
    const { body: list } = await server.call(DEPLOYMENTS, { token: owner.token });
    expect(list.items).toHaveLength(1);
  });
});

describe("reading deployments", () => {
  test("lists the organization's deployments by page, the newest first", async () => {
    const names = ["one", "two", "three"];
    for (const name of names) {
      server.advanceSeconds(1);
      await server.deploy(owner, { name });
    }
    const { body } = await server.call(`${DEPLOYMENTS}?perPage=2`, { token: owner.token });
    expect((body.items as JsonObject[]).map(({ name }) => name)).toEqual(["three", "two"]);
    expect(body.pagination).toEqual({ current_page: 1, per_page: 2, total_items: 3, total_pages: 2 });
    const second = await server.call(`${DEPLOYMENTS}?perPage=2&page=2`, { token: owner.token });
    expect((second.body.items as JsonObject[]).map(({ name }) => name)).toEqual(["one"]);
  });

  test("lists the providers with their regions and instance types", async () => {
    const { body } = await server.call("/api/feather/private-cloud/deployment-providers", { token: owner.token });
    expect(body.items).toEqual([
      {
        id: "local",
        name: "This machine",
        regions: [{ id: "here", name: "Here" }],
        instance_types: [{ id: "cpu", gpu: null, gpu_count: 0, vram_gb: 0, nodes: 1, hourly_nano_usd: "0" }],
        available: true,
        reason: null,
      },
    ]);
  });

  test("returns replicas, events and logs of a deployment", async () => {
    const { id } = await server.deploy(owner, { min_replicas: 2, max_replicas: 2 });
    await server.waitForState(owner, id, "running");
    const read = async (what: string) =>
      (await server.call(`${DEPLOYMENTS}/${id}/${what}`, { token: owner.token })).body;
    await expect
      .poll(async () => (await read("replicas")).items)
      .toEqual([
        { name: "0", generation: 1, state: "ready", reason: null },
        { name: "1", generation: 1, state: "ready", reason: null },
      ]);
    const events = (await read("events")).items as JsonObject[];
    expect(events.at(-1)).toMatchObject({ state: "pending", message: "Created" });
    expect(events[0]?.state).toBe("running");
    const lines = (await read("logs?tail=3")).lines as JsonObject[];
    expect(lines.map(({ text }) => text)).toEqual(["starting", "ready", "ready"]);
  });

  test("settings_version of a deployment counts changes, and observed_settings_version follows", async () => {
    const { id } = await server.deploy(owner, { min_replicas: 1, max_replicas: 2 });
    const made = await server.waitForState(owner, id, "running");
    expect(made).toMatchObject({ settings_version: 1, observed_settings_version: 1 });
    const put = (body: JsonObject) =>
      server.call(`${DEPLOYMENTS}/${id}`, { method: "PUT", token: owner.token, body }).then((answer) => answer.body);
    expect((await put({ min_replicas: 2 })).settings_version).toBe(2);
    expect((await put({ min_replicas: 2 })).settings_version).toBe(2); // nothing has changed
    await expect
      .poll(async () => (await server.call(`${DEPLOYMENTS}/${id}`, { token: owner.token })).body)
      .toMatchObject({ observed_settings_version: 2, ready_replicas: 2 });
  });

  test("streams logs of a deployment from the last lines on", async () => {
    const { id } = await server.deploy(owner);
    await server.waitForState(owner, id, "running");
    const abort = new AbortController();
    const answer = await server.send(`${DEPLOYMENTS}/${id}/logs?tail=1`, {
      token: owner.token,
      headers: { accept: "text/event-stream" },
      signal: abort.signal,
    });
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toMatch(/"text":"ready"\}\n\n$/);
    server.engines.running().at(-1)?.events.line?.("a new line");
    expect((await reader?.read())?.value).toContain("a new line");
    server.platform.lifecycle.draining = true; // a server that stops does not wait for who follows
    expect((await reader?.read())?.done).toBe(true);
    server.platform.lifecycle.draining = false;
    abort.abort();
  });

  test("ends the log stream of a deployment when the user signs out", async () => {
    const { id } = await server.deploy(owner);
    await server.waitForState(owner, id, "running");
    const { token } = owner;
    const answer = await server.send(`${DEPLOYMENTS}/${id}/logs?tail=1`, {
      token,
      headers: { accept: "text/event-stream" },
    });
    expect(answer.status).toBe(200);
    await server.call("/api/auth/logout", { method: "POST", token });
    expect(await answer.text()).toContain('"text":"ready"');
  });

  test("returns metrics of a deployment over time, and rejects a period that ends before its start", async () => {
    const { id, token } = await server.deploy(owner);
    await server.waitForState(owner, id, "running");
    for (let count = 0; count < 3; count++) expect((await server.chat(id, token)).status).toBe(200);
    server.engines.running().at(-1)?.crash();
    await server.api.gateway.usageWriter.flush();
    const metrics = (query = "") => server.call(`${DEPLOYMENTS}/${id}/metrics${query}`, { token: owner.token });
    const items = (await metrics()).body.items as JsonObject[];
    expect(items.reduce((sum, { requests }) => sum + Number(requests), 0)).toBe(3);
    expect(items[0]).toMatchObject({ errors: 0 });
    const speedOf = async (figures: { first_byte_ms: number; duration_ms: number; completion_tokens: number }) => {
      await server.db
        .updateTable("requests")
        .set({ ...figures, streamed: true })
        .where("backend", "=", id)
        .execute();
      return ((await metrics()).body.items as JsonObject[]).map(({ tokens_per_s }) => tokens_per_s);
    };
    // The speed is measured from the first token to the last. There is none if that time is too short.
    expect(await speedOf({ first_byte_ms: 1_000, duration_ms: 3_000, completion_tokens: 100 })).toEqual([50]);
    expect(await speedOf({ first_byte_ms: 1, duration_ms: 2, completion_tokens: 43 })).toEqual([null]);
    expect((await metrics("?start=100&end=100")).status).toBe(400);
    expect((await metrics("?start=0&end=1000")).body).toEqual({ items: [] });
  });
});

describe("changing a deployment", () => {
  const put = (id: string, body: JsonObject) =>
    server.call(`${DEPLOYMENTS}/${id}`, { method: "PUT", token: owner.token, body });

  test("a deployment replaces replicas one at a time when its model changes", async () => {
    const { id, token } = await server.deploy(owner);
    await server.waitForState(owner, id, "running");
    const [old] = server.engines.running().slice(-1);
    const answer = await put(id, { engine_args: { context: 1024 } });
    expect([answer.status, answer.body.engine_args]).toEqual([200, { context: 1024 }]);
    await expect.poll(() => old?.stopped).toBe(true);
    await server.waitForState(owner, id, "running");
    const { body } = await server.call(`${DEPLOYMENTS}/${id}/replicas`, { token: owner.token });
    expect(body).toMatchObject({ generation: 2, items: [{ generation: 2, state: "ready" }] });
    expect((await server.chat(id, token)).status).toBe(200);
  });

  test("a deployment keeps replicas when only their number changes", async () => {
    const { id } = await server.deploy(owner, { max_replicas: 2 });
    await server.waitForState(owner, id, "running");
    const before = server.engines.all.length;
    expect((await put(id, { min_replicas: 2 })).body.min_replicas).toBe(2);
    await expect.poll(() => server.engines.all.length).toBe(before + 1);
    await server.reconcile();
    const { body } = await server.call(`${DEPLOYMENTS}/${id}/replicas`, { token: owner.token });
    expect((body.items as JsonObject[]).map(({ generation }) => generation)).toEqual([1, 1]);
  });

  test("ignores an update of a deployment without changes", async () => {
    const { id, body } = await server.deploy(owner, { engine_args: { sequences: 2, context: 512 } });
    server.advanceSeconds(5);
    const same = {
      model_id: DEMO_MODEL,
      engine_args: { context: 512, sequences: 2 },
      autoscale: { metric: "pending_requests", target: 4 },
      max_replicas: 1,
    };
    expect((await put(id, same)).body.updated_at).toBe(body.updated_at);
    expect(await audited("deployments.update")).not.toContain(id);
  });

  test.each<[string, JsonObject, number, string]>([
    ["least above most", { min_replicas: 2 }, 400, "invalid_request"],
    ["an unknown machine", { instance_type: "l40s" }, 400, "invalid_request"],
    ["an unknown model", { model_id: "nobody/nothing" }, 404, "model_not_found"],
    ["a model whose file is not here", { model_id: "Qwen/Qwen3-4B" }, 409, "deployments.model_not_here"],
    ["another name", { name: "new-name" }, 400, "invalid_request"],
    ["an unknown argument", { engine_args: { model: "x" } }, 400, "invalid_request"],
  ])("changing a deployment rejects %s and changes nothing", async (_what, fields, status, code) => {
    const { id } = await server.deploy(owner);
    await server.waitForState(owner, id, "running");
    const before = (await server.call(`${DEPLOYMENTS}/${id}`, { token: owner.token })).body;
    const answer = await put(id, { max_replicas: 1, ...fields });
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
    expect((await server.call(`${DEPLOYMENTS}/${id}`, { token: owner.token })).body).toEqual(before);
  });

  test("applies all concurrent changes of a deployment", async () => {
    const { id } = await server.deploy(owner);
    await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => put(id, { engine_args: { context: 300 + index } })),
      put(id, { max_replicas: 3 }),
      put(id, { visibility: "public" }),
      put(id, { scale_to_zero_after_s: 120 }),
    ]);
    const row = await server.db.selectFrom("deployments").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ generation: 11, max_replicas: 3, visibility: "public", scale_to_zero_after_s: 120 });
  });
});

describe("deleting a deployment", () => {
  test("deleting a deployment revokes its token, stops its replicas and frees its name", async () => {
    const { id, token } = await server.deploy(owner, { name: "gone" });
    await server.waitForState(owner, id, "running");
    const engine = server.engines.running().at(-1);
    const remove = () => server.call(`${DEPLOYMENTS}/${id}`, { method: "DELETE", token: owner.token });
    expect((await remove()).status).toBe(204);
    expect((await server.chat(id, token)).status).toBe(401);
    expect((await create({ name: "gone" })).status).toBe(202);
    await expect.poll(async () => (await server.call(`${DEPLOYMENTS}/${id}`, { token: owner.token })).status).toBe(404);
    expect(engine?.stopped).toBe(true);
    expect((await remove()).status).toBe(404);
    expect((await audited("deployments.delete")).filter((target) => target === id)).toHaveLength(1);
  });

  test("rejects changes while a deployment is being deleted", async () => {
    const { id } = await server.deploy(owner);
    await server.waitForState(owner, id, "running");
    const release = server.engines.holdStops();
    const remove = () => server.call(`${DEPLOYMENTS}/${id}`, { method: "DELETE", token: owner.token });
    expect((await remove()).status).toBe(204);
    const shown = await server.call(`${DEPLOYMENTS}/${id}`, { token: owner.token });
    expect(shown.body).toMatchObject({ state: "deleting", url: null });
    const attempts: [string, string, JsonObject?][] = [
      ["PUT", "", { max_replicas: 2 }],
      ["POST", "/pause"],
      ["POST", "/resume"],
      ["POST", "/login"],
      ["POST", "/token"],
    ];
    for (const [method, path, body] of attempts) {
      const answer = await server.call(`${DEPLOYMENTS}/${id}${path}`, { method, token: owner.token, body });
      expect([path, answer.status, errorCode(answer.body)]).toEqual([path, 409, "deployments.deleting"]);
    }
    expect((await remove()).status).toBe(204);
    release();
    await expect.poll(async () => (await remove()).status).toBe(404);
  });
});

describe("a deployment of another organization", () => {
  test.each<[string, string, JsonObject?]>([
    ["GET", ""],
    ["PUT", "", { max_replicas: 2 }],
    ["DELETE", ""],
    ["POST", "/login"],
    ["POST", "/token"],
    ["POST", "/pause"],
    ["POST", "/resume"],
    ["GET", "/logs"],
    ["GET", "/events"],
    ["GET", "/metrics"],
    ["GET", "/replicas"],
  ])("responds 404 to %s %s of another organization's deployment", async (method, path, body) => {
    const { id } = await server.deploy(owner);
    const other = await server.signUpOwner();
    const attempt = (target: string) =>
      server.call(`${DEPLOYMENTS}/${target}${path}`, { method, token: other.token, body });
    const theirs = await attempt(id);
    const none = await attempt("dep_0000000000000000000000");
    expect([theirs.status, errorCode(theirs.body)]).toEqual([404, "deployments.not_found"]);
    expect(theirs.body).toEqual(none.body);
    expect((await server.call(`${DEPLOYMENTS}/${id}`, { token: owner.token })).body.state).not.toBe("deleting");
  });
});

describe("members without the permission", () => {
  test.each<[string, string, JsonObject?]>([
    ["POST", "", {}],
    ["PUT", "/dep_1", { max_replicas: 2 }],
    ["DELETE", "/dep_1"],
    ["POST", "/dep_1/login"],
    ["POST", "/dep_1/token"],
    ["POST", "/dep_1/pause"],
    ["POST", "/dep_1/resume"],
  ])("a member without the permission cannot %s %s", async (method, path, body) => {
    await server.db.updateTable("memberships").set({ role: "developer" }).where("user_id", "=", owner.userId).execute();
    const answer = await server.call(DEPLOYMENTS + path, {
      method,
      token: owner.token,
      body: path === "" ? server.body() : body,
    });
    expect([answer.status, errorCode(answer.body)]).toEqual([403, "organization_permission_denied"]);
  });
});
