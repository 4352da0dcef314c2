import { errorCode } from "@feather/testing/errors";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createFakeEngines } from "../../testing/fake-engines.ts";
import {
  createPrivateCloudServer,
  DEMO_MODEL,
  DEPLOYMENTS,
  type JsonObject,
  type PrivateCloudServer,
} from "../../testing/private-cloud.ts";
import { type Account, PASSWORD } from "../../testing/server.ts";

const HOUR = 3_600;
let server: PrivateCloudServer;
let owner: Account;

beforeAll(async () => {
  server = await createPrivateCloudServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.signUpOwner();
});
afterEach(async () => {
  await server.db.updateTable("deployments").set({ deleting: true }).execute();
  await server.reconcile();
  await expect.poll(() => server.engines.running()).toEqual([]);
});

const get = async (id: string) => (await server.call(`${DEPLOYMENTS}/${id}`, { token: owner.token })).body;
const post = (id: string, what: string) =>
  server.call(`${DEPLOYMENTS}/${id}/${what}`, { method: "POST", token: owner.token });
const replicas = async (id: string) =>
  (await server.call(`${DEPLOYMENTS}/${id}/replicas`, { token: owner.token })).body.items as JsonObject[];

describe("a deployment that nobody calls", () => {
  test("an idle deployment is scaled to zero and started by the next call", async () => {
    const { id, token } = await server.deploy(owner, { scale_to_zero_after_s: 60 });
    await server.waitForState(owner, id, "running");
    server.advanceSeconds(30); // the clock goes on meanwhile
    await server.reconcile();
    expect((await get(id)).state).toBe("running");
    server.advanceSeconds(31);
    await server.reconcile();
    await server.waitForState(owner, id, "scaled_to_zero");
    expect(server.engines.running()).toEqual([]);
    const cold = await server.chat(id, token);
    expect([cold.status, errorCode(cold.body)]).toEqual([503, "model_loading"]);
    expect(Number(cold.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    const details = (cold.body.error as JsonObject).details as JsonObject;
    expect(details).toMatchObject({ tier: "loading", loading_stage: "starting" });
    expect(Date.parse(String(details.estimated_ready_at))).toBeGreaterThan(server.clock.now().getTime());
    expect((await server.chat(id, token, { wait: 5 })).status).toBe(200);
    await server.waitForState(owner, id, "running");
  });

  test("a deployment with calls is not scaled to zero", async () => {
    const { id, token } = await server.deploy(owner, { scale_to_zero_after_s: 60 });
    await server.waitForState(owner, id, "running");
    for (let minute = 0; minute < 3; minute++) {
      server.advanceSeconds(50);
      expect((await server.chat(id, token)).status).toBe(200);
      await server.reconcile();
      expect((await get(id)).state).toBe("running");
    }
  });

  test("a deployment with scaling to zero off or min_replicas above 0 keeps running", async () => {
    const always = await server.deploy(owner, { scale_to_zero_after_s: null });
    const least = await server.deploy(owner, { min_replicas: 1, scale_to_zero_after_s: 60 });
    await server.waitForState(owner, always.id, "running");
    await server.waitForState(owner, least.id, "running");
    server.advanceSeconds(HOUR * 24);
    await server.reconcile();
    expect([(await get(always.id)).state, (await get(least.id)).state]).toEqual(["running", "running"]);
  });
});

describe("a paused deployment", () => {
  test("a paused deployment stops its replicas and rejects calls until it is resumed", async () => {
    const { id, token } = await server.deploy(owner, { scale_to_zero_after_s: 60 });
    await server.waitForState(owner, id, "running");
    expect((await post(id, "pause")).body).toMatchObject({ state: "paused", desired_replicas: 0 });
    await expect.poll(() => server.engines.running()).toEqual([]);
    const refused = await server.chat(id, token, { wait: 5 });
    expect([refused.status, errorCode(refused.body), refused.headers.get("x-should-retry")]).toEqual([
      503,
      "deployment_paused",
      "false",
    ]);
    expect((await post(id, "pause")).status).toBe(200);
    server.advanceSeconds(HOUR);
    expect((await post(id, "resume")).body.state).not.toBe("paused");
    await server.waitForState(owner, id, "running");
    expect((await server.chat(id, token)).status).toBe(200);
    expect((await post(id, "resume")).status).toBe(200);
  });
});

describe("a plan without private cloud", () => {
  test("a plan that loses the private cloud pauses deployments, and allows resuming them when it has it again", async () => {
    const { id } = await server.deploy(owner);
    const other = await server.signUpOwner();
    const theirs = await server.deploy(other);
    await server.waitForState(owner, id, "running");
    const set = (private_cloud: boolean) =>
      server.db.updateTable("plans").set({ private_cloud }).where("id", "=", `plan_${owner.userId}`).execute();
    await set(false);
    await server.api.deployments.deployments.pauseWithoutPlan();
    expect((await get(id)).state).toBe("paused");
    const events = (await server.call(`${DEPLOYMENTS}/${id}/events`, { token: owner.token })).body
      .items as JsonObject[];
    expect(events).toContainEqual(expect.objectContaining({ message: "The plan Test has no private cloud" }));
    await server.waitForState(other, theirs.id, "running");
    const refused = await post(id, "resume");
    expect([refused.status, errorCode(refused.body)]).toEqual([403, "deployments.not_on_plan"]);
    expect((await post("dep_none", "resume")).status).toBe(404);
    await set(true);
    expect((await post(id, "resume")).status).toBe(200);
    await server.waitForState(owner, id, "running");
  });
});

describe("a replica that exits", () => {
  test("a replica that exits gets no calls until it is ready again", async () => {
    const { id, token } = await server.deploy(owner, { min_replicas: 2, max_replicas: 2 });
    await server.waitForState(owner, id, "running");
    await expect.poll(async () => (await get(id)).ready_replicas).toBe(2);
    const [first] = server.engines.running();
    first?.crash("Segmentation fault.");
    await expect.poll(async () => (await get(id)).ready_replicas).toBe(1);
    expect(await get(id)).toMatchObject({ state: "running", state_reason: "Segmentation fault." });
    const said = new Set<unknown>();
    for (let count = 0; count < 4; count++) said.add((await server.chat(id, token)).text.match(/engine \d+/)?.[0]);
    expect(said.size).toBe(1);
    await first?.ready();
    await expect.poll(async () => (await get(id)).ready_replicas).toBe(2);
    expect((await get(id)).state_reason).toBe(null);
  });

  test("calls to a deployment go to another replica, and fail as with a failing backend if there is none", async () => {
    const { id, token } = await server.deploy(owner, { min_replicas: 2, max_replicas: 2 });
    await expect.poll(async () => (await get(id)).ready_replicas).toBe(2);
    const [first, second] = server.engines.running();
    first?.goSilent();
    for (let count = 0; count < 4; count++) expect((await server.chat(id, token)).status).toBe(200);
    second?.goSilent();
    const failed = await server.chat(id, token);
    expect([failed.status, errorCode(failed.body)]).toEqual([502, "upstream_error"]);
    const row = await server.usageRow(failed.headers.get("request-id"));
    expect(row).toMatchObject({ outcome: "failed", status: 502, backend: id });
  });

  test("a deployment whose replica keeps exiting fails with the engine's last line, and recovers by itself", async () => {
    const { id, token } = await server.deploy(owner);
    await server.waitForState(owner, id, "running");
    const [engine] = server.engines.running();
    for (let count = 0; count < 3; count++) engine?.crash("Out of memory.");
    await server.waitForState(owner, id, "failed");
    expect((await get(id)).state_reason).toBe("Out of memory.");
    const refused = await server.chat(id, token, { wait: 5 });
    expect([refused.status, errorCode(refused.body)]).toEqual([503, "deployment_failed"]);
    await engine?.ready();
    await server.waitForState(owner, id, "running");
    expect((await server.chat(id, token)).status).toBe(200);
  });

  test("a failed update keeps the old replicas running", async () => {
    const { id, token } = await server.deploy(owner);
    await server.waitForState(owner, id, "running");
    const [old] = server.engines.running();
    server.engines.holdStarts();
    const body = { engine_args: { context: 300 } };
    await server.call(`${DEPLOYMENTS}/${id}`, { method: "PUT", token: owner.token, body });
    await expect.poll(() => server.engines.running().length).toBe(2);
    const young = server.engines.running().at(-1);
    for (let count = 0; count < 3; count++) young?.crash("It cannot be loaded.");
    await server.waitForState(owner, id, "update_failed");
    expect([old?.stopped, (await server.chat(id, token)).status]).toEqual([false, 200]);
    server.engines.releaseStarts();
    await young?.ready();
    await server.waitForState(owner, id, "running");
    expect(old?.stopped).toBe(true);
  });
});

describe("memory", () => {
  const big = { context: 1e6, sequences: 11 }; // 11 GB of the 50

  test("a replica of a deployment waits for memory and starts when some is released", async () => {
    const all = [];
    for (let count = 0; count < 5; count++) all.push(await server.deploy(owner, { engine_args: big }));
    const [first, last] = [all[0]?.id ?? "", all[4]?.id ?? ""];
    for (const { id } of all.slice(0, 4)) await server.waitForState(owner, id, "running");
    await expect.poll(async () => (await get(last)).state_reason).toMatch(/waits for memory/);
    await post(first, "pause");
    await server.waitForState(owner, last, "running");
    expect((await get(last)).state_reason).toBe(null);
  });

  test("an update of a deployment can use the memory of the replica that it replaces", async () => {
    const huge = { context: 1e6, sequences: 30 };
    const { id } = await server.deploy(owner, { engine_args: huge });
    await server.waitForState(owner, id, "running");
    const body = { engine_args: { ...huge, threads: 2 } };
    await server.call(`${DEPLOYMENTS}/${id}`, { method: "PUT", token: owner.token, body });
    await expect
      .poll(async () => (await replicas(id)).map(({ generation, state }) => [generation, state]))
      .toEqual([[2, "ready"]]);
  });
});

describe("admins", () => {
  test("admins list all deployments and redeploy them with a result per id", async () => {
    const admin = await server.signInAdmin();
    const one = await server.deploy(owner);
    await server.waitForState(owner, one.id, "running");
    const other = await server.signUpOwner();
    const gone = await server.deploy(other, { name: "other-bot" });
    await server.waitForState(other, gone.id, "running");
    const release = server.engines.holdStops();
    await server.call(`${DEPLOYMENTS}/${gone.id}`, { method: "DELETE", token: other.token });
    const list = await server.call("/api/admin/deployments?perPage=1", { token: admin.token });
    expect(list.body.pagination).toMatchObject({ per_page: 1, total_items: 2 });
    const shown = await server.call(`/api/admin/deployments/${one.id}`, { token: admin.token });
    const names = { organization: { id: owner.organizationId }, creator: { id: owner.userId, email: owner.email } };
    expect(shown.body).toMatchObject({ id: one.id, organization_id: owner.organizationId, ...names });
    expect(list.body.items).toMatchObject([
      { id: gone.id, organization: { id: other.organizationId }, creator: { email: other.email } },
    ]);
    expect((await server.call("/api/admin/deployments/dep_none", { token: admin.token })).status).toBe(404);

    const ids = [one.id, "dep_none", gone.id];
    const answer = await server.call("/api/admin/deployments/redeploy", { token: admin.token, body: { ids } });
    expect(answer.body.results).toEqual([
      { id: one.id, ok: true, error: null },
      { id: "dep_none", ok: false, error: "There is no such deployment." },
      { id: gone.id, ok: false, error: "This deployment is being deleted and cannot be changed any more." },
    ]);
    release();
    await expect.poll(async () => (await replicas(one.id)).map(({ generation }) => generation)).toEqual([2]);
    for (const body of [
      { ids: [] },
      { ids: ["a", "a"] },
      { ids: Array.from({ length: 101 }, (_, index) => `dep_${index}`) },
      {},
    ])
      expect((await server.call("/api/admin/deployments/redeploy", { token: admin.token, body })).status).toBe(400);
  });

  test.each(["/api/admin/deployments", "/api/admin/deployments/dep_1"])("only admins can read %s", async (path) => {
    expect((await server.call(path, { token: owner.token })).status).toBe(404);
  });

  test("an admin can reload a model", async () => {
    const admin = await server.signInAdmin();
    const redeploy = (id: string) =>
      server.call(`/api/admin/models/${id}/redeploy`, { method: "POST", token: admin.token });
    const answer = await redeploy(DEMO_MODEL.toUpperCase());
    expect([answer.status, answer.body]).toEqual([202, { id: DEMO_MODEL, status: "pending_deploy" }]);
    await expect.poll(() => server.engines.running().length).toBe(1);
    const [before] = server.engines.running();
    await redeploy(DEMO_MODEL);
    await expect.poll(() => server.engines.running().at(-1) !== before && before?.stopped).toBe(true);
    expect(errorCode((await redeploy("nobody/nothing")).body)).toBe("model_not_found");
    const elsewhere = await redeploy("Qwen/Qwen3-4B");
    expect([elsewhere.status, errorCode(elsewhere.body)]).toEqual([409, "models.not_hosted"]);
    expect(
      (await server.call(`/api/admin/models/${DEMO_MODEL}/redeploy`, { method: "POST", token: owner.token })).status,
    ).toBe(404);
    await server.api.modelHost.host.unload(DEMO_MODEL);
  });

  test("an admin sees the memory of loaded models, and unloads one", async () => {
    const admin = await server.signInAdmin();
    type Host = { memory_bytes: number; free_bytes: number; models: { state: string; memory_bytes: number }[] };
    const readHost = async (): Promise<Host> =>
      (await server.call("/api/admin/model-host", { token: admin.token })).body as Host;
    const unload = (id: string, token = admin.token) =>
      server.call(`/api/admin/models/${id}/unload`, { method: "POST", token });
    await server.api.modelHost.host.wake(DEMO_MODEL);
    await expect.poll(async () => (await readHost()).models[0]?.state).toBe("warm");
    const { memory_bytes, free_bytes, models } = await readHost();
    expect(models).toMatchObject([{ model_id: DEMO_MODEL, organization_id: null, request_count: 0 }]);
    expect(models[0]?.memory_bytes).toBe(memory_bytes - free_bytes);
    expect((await server.call("/api/admin/model-host", { token: owner.token })).status).toBe(404);
    expect((await unload(DEMO_MODEL, owner.token)).status).toBe(404);
    const answer = await unload(DEMO_MODEL.toUpperCase());
    expect([answer.status, answer.body]).toEqual([202, { id: DEMO_MODEL, status: "unloading" }]);
    await expect.poll(readHost).toMatchObject({ free_bytes: memory_bytes });
    expect((await unload(DEMO_MODEL)).status, "again").toBe(202);
    expect(errorCode((await unload("nobody/nothing")).body)).toBe("model_not_found");
    expect(errorCode((await unload("Qwen/Qwen3-4B")).body)).toBe("models.not_hosted");
  });
});

describe("end of a deployment", () => {
  test("deleting an account ends its deployments", async () => {
    const { id, token } = await server.deploy(owner);
    await server.waitForState(owner, id, "running");
    const deleted = await server.call("/api/account", {
      method: "DELETE",
      token: owner.token,
      body: { password: PASSWORD },
    });
    expect(deleted.status).toBe(204);
    expect((await server.chat(id, token)).status).toBe(401);
    await server.reconcile();
    await expect.poll(() => server.engines.running()).toEqual([]);
    expect(server.api.deployments.registry.list()).toEqual([]);
  });

  test("deployments start again after a restart of the server", async () => {
    const { id } = await server.deploy(owner, { min_replicas: 2, max_replicas: 2 });
    const sleeping = await server.deploy(owner);
    await server.waitForState(owner, id, "running");
    await post(sleeping.id, "pause");
    const engines = createFakeEngines();
    const { modelHost, deployments } = server.createOtherPlatform({
      runtimeProcesses: { "llama.cpp": { start: engines.start } },
    }).api;
    modelHost.host.register({
      id: DEMO_MODEL,
      file: "/demo.gguf",
      fileName: "demo.gguf",
      size: 1,
      contextLength: 2048,
      bytesPerToken: 1024,
    });
    await deployments.reconciler.run();
    await expect.poll(() => deployments.registry.candidates(id).length).toBe(2);
    await expect.poll(async () => (await get(id)).state).toBe("running"); // it is stored after the calls are routed
    expect(engines.all.map(({ model }) => model.id)).toEqual([DEMO_MODEL, DEMO_MODEL]);
    await deployments.stop();
    await modelHost.stop();
    expect(engines.running()).toEqual([]);
    expect(deployments.registry.list().length).toBeLessThanOrEqual(2);
    engines.close();
    expect((await get(id)).state).toBe("running");
  });
});
