import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { DEMO_MODEL_FILE } from "../runtimes/built-in-models.ts";

const PRIVATE = "acme/support-1m";
const folder = mkdtempSync(join(tmpdir(), "journey-"));
const hour = 3_600_000;
let ahead = 0;
const clock = { now: () => new Date(Date.now() + ahead) };
let server: TestServer;
let owner: Account;

/** Adds a repository to the hub that passes all checks of private models, with a file that this machine can run. */
function fillHub(): void {
  const repository = join(folder, "hub", PRIVATE);
  mkdirSync(repository, { recursive: true });
  writeFileSync(join(repository, "README.md"), "---\nlicense: apache-2.0\n---\n# Support\nAnswers nothing.");
  writeFileSync(
    join(repository, "config.json"),
    JSON.stringify({ architectures: ["LlamaForCausalLM"], torch_dtype: "bfloat16", max_position_embeddings: 2048 }),
  );
  writeFileSync(join(repository, "model.safetensors"), Buffer.alloc(2_000_000));
  copyFileSync(DEMO_MODEL_FILE, join(repository, "support-1m-q8_0.gguf"));
}

beforeAll(async () => {
  fillHub();
  server = await createTestServer({
    clock,
    env: {
      FEATHER_HUB_DIR: join(folder, "hub"),
      FEATHER_DATA_DIR: join(folder, "data"),
      FEATHER_FIRST_BYTE_TIMEOUT: "20",
    },
  });
  owner = await server.signUpOnPlan({ private_models: 1, private_cloud: true });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

type Json = Record<string, unknown>;
const api = async (path: string, options: Parameters<TestServer["call"]>[1] = {}) => {
  const { status, body, text } = await server.call(path, { token: owner.token, ...options });
  return { status, body: body as Json, text };
};
const look = () => server.api.deployments.reconciler.run();
const until = async (path: string, field: string, value: string) => {
  for (let tries = 0; tries < 200; tries++) {
    const { body } = await api(path);
    if (body[field] === value) return body;
    if (body.state === "failed") throw new Error(JSON.stringify(body));
    await sleep(50);
  }
  throw new Error(`${path} never got ${value}: ${JSON.stringify((await api(path)).body)}`);
};
/**
 * Returns the process ids of the engines of this process, the newest last. They are sorted by start time, since process ids
 * start again at 1 when the numbers are used up.
 */
const engines = (): number[] =>
  execFileSync("ps", ["-eo", "pid=,ppid=,args=", "--sort=start_time"], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === process.pid && args.join(" ").includes("feather-engine"))
    .map(([pid]) => Number(pid));

describe("a private model from the hub to its own deployment", () => {
  let id = "";
  let token = "";
  const address = () => `/api/feather/private-cloud/deployments/${id}`;
  const chat = (secret: string | undefined, wait = 20) =>
    server.call(`/api/deployments/${id}/v1/chat/completions`, {
      token: secret,
      body: { model: "whatever", messages: [{ role: "user", content: "Hello" }], max_tokens: 8 },
      headers: { "x-wait-for-model": String(wait) },
    });

  test("downloads, checks and loads a private model for its organization only", async () => {
    const path = `/api/feather/private-models/${PRIVATE}`;
    const check = await api(`${path}/compatibility`);
    expect([check.status, check.body.compatible]).toEqual([200, true]);
    const created = await api(path, { method: "POST", body: { name: "Support" } });
    expect([created.status, created.body.name]).toEqual([202, "Support"]);
    await until(path, "state", "ready");
    const call = { model: PRIVATE, messages: [{ role: "user", content: "Hello" }], max_tokens: 4 };
    expect((await api("/v1/chat/completions", { body: call })).status).toBe(200);
    const other = await server.signUpOnPlan({});
    expect((await api("/v1/chat/completions", { token: other.token, body: call })).status).toBe(404);
    expect((await api(path, { token: other.token })).status).toBe(404);
  });

  test("deploys the model and answers calls with the deployment's token", async () => {
    const body = {
      name: "support-bot",
      provider_id: "local",
      region: "here",
      instance_type: "cpu",
      model_id: PRIVATE.toUpperCase(),
      scale_to_zero_after_s: 60,
    };
    const created = await api("/api/feather/private-cloud/deployments", { body });
    expect([created.status, created.body.model_id, created.body.state]).toEqual([202, PRIVATE, "pending"]);
    id = String(created.body.id);
    token = String(created.body.token);
    expect(created.body.url).toContain(`/api/deployments/${id}/v1`);
    await until(address(), "state", "running");
    const answer = await chat(token);
    expect([answer.status, (answer.body as Json).model]).toEqual([200, PRIVATE]);
    expect((await chat(undefined)).status).toBe(401);
    const streamed = await server.send(`/api/deployments/${id}/v1/chat/completions`, {
      token,
      body: { model: PRIVATE, messages: [{ role: "user", content: "Hello" }], max_tokens: 8, stream: true },
    });
    expect(await streamed.text()).toMatch(/data: \[DONE\]\n\n$/);
    const text = await server.call(`/api/deployments/${id}/v1/completions`, {
      token,
      body: { model: PRIVATE, prompt: "Feathers are", max_tokens: 4 },
    });
    expect([text.status, (text.body as Json).object]).toEqual([200, "text_completion"]);
    const vectors = await server.call(`/api/deployments/${id}/v1/embeddings`, {
      token,
      body: { model: PRIVATE, input: ["one", "two"] },
    });
    expect([vectors.status, ((vectors.body as Json).data as Json[]).length]).toEqual([200, 2]);
  });

  test("scales the deployment to zero and starts it with the next call", async () => {
    const before = engines().length;
    ahead += hour;
    await look();
    await until(address(), "state", "scaled_to_zero");
    await expect.poll(() => engines().length).toBe(before - 1);
    const cold = await chat(token, 0);
    expect([cold.status, Number(cold.headers.get("retry-after")) > 0]).toEqual([503, true]);
    expect((await chat(token)).status).toBe(200);
    expect((await api(address())).body.state).toBe("running");
  });

  test("restarts a replica that was killed", async () => {
    const { items } = (await api(`${address()}/replicas`)).body as { items: Json[] };
    expect(items.map(({ state }) => state)).toEqual(["ready"]);
    const before = engines();
    const killed = before.at(-1) ?? 0;
    process.kill(killed, "SIGKILL");
    await expect.poll(() => engines().some((pid) => !before.includes(pid))).toBe(true);
    expect((await chat(token)).status).toBe(200);
    expect(engines()).not.toContain(killed);
    const { body } = await api(`${address()}/events`);
    const states = (body.items as Json[]).map(({ state }) => state);
    expect(states).toEqual(expect.arrayContaining(["pending", "running", "scaled_to_zero", "initializing"]));
    expect(((await api(`${address()}/logs`)).body.lines as Json[]).length).toBeGreaterThan(2);
  });

  test("records usage of the calls without using units of the plan", async () => {
    await server.api.gateway.usageWriter.flush();
    const { body } = await api(`${address()}/metrics`);
    const sums = body.items as { requests: number; errors: number; p50_ttft_ms: number }[];
    expect(sums.reduce((sum, { requests }) => sum + requests, 0)).toBe(6);
    expect(sums[0]?.p50_ttft_ms).toBeGreaterThan(0);
    const rows = await server.db.selectFrom("requests").selectAll().where("backend", "=", id).execute();
    expect(new Set(rows.map(({ units }) => units))).toEqual(new Set([0]));
  });

  test("deletes the deployment and the model permanently", async () => {
    expect((await api(`/api/feather/private-models/${PRIVATE}`, { method: "DELETE" })).status).toBe(409);
    expect((await api(address(), { method: "DELETE" })).status).toBe(204);
    expect((await chat(token)).status).toBe(401);
    await expect.poll(async () => (await api(address())).status).toBe(404);
    expect((await api(`/api/feather/private-models/${PRIVATE}`, { method: "DELETE" })).status).toBe(204);
    expect((await api(`/api/feather/private-models/${PRIVATE}`)).status).toBe(404);
    await expect.poll(() => engines()).toEqual([]);
  });
});
