import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEvents } from "@feather/testing/chat-events";
import { startFakeHub } from "@feather/testing/fake-hub";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEMO_MODEL_FILE } from "../hosting/runtimes/built-in-models.ts";
import { startHosting } from "../start/hosting.ts";
import { createChatRequest, errorOf } from "../testing/chat.ts";
import { createTestReplicas, type TestReplicas } from "../testing/replicas.ts";
import type { Account } from "../testing/server.ts";

const MODEL = "feather/demo";
const CHAT = "/v1/chat/completions";

describe("a model that the leader hosts, called at another replica", () => {
  let replicas: TestReplicas;
  let owner: Account;

  beforeAll(async () => {
    replicas = await createTestReplicas({ engine: { delayMs: 5 }, env: { FEATHER_PRELOAD: "off" } });
    owner = await replicas.leader.signUpOnPlan({ concurrency: 4 });
  });
  afterAll(() => replicas.close());

  const chat = (more: object = {}, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    replicas.other.send(CHAT, {
      token: owner.token,
      body: createChatRequest({ model: MODEL, ...more }),
      headers,
      ...(signal && { signal }),
    });
  const isHosted = () => replicas.leader.api.modelHost.host.find(MODEL) !== null;

  test("a model that is not loaded is loaded by the leader, and answers", async () => {
    expect(isHosted()).toBe(true);
    expect(replicas.other.api.modelHost.host.availability(MODEL)).toMatchObject({ tier: "cold" });
    const response = await chat({}, { "x-wait-for-model": "20" });
    expect(response.status).toBe(200);
    expect(replicas.leader.api.modelHost.host.isWarm(MODEL)).toBe(true);
    expect(replicas.other.api.modelHost.host.isWarm(MODEL)).toBe(true);
    const [here, there] = [replicas.leader, replicas.other].map(({ api }) =>
      api.backends.registry.contextLength(MODEL),
    );
    expect([here, there]).toEqual([expect.any(Number), here]);
  });

  test("the usage of a call is that of the replica which answered it", async () => {
    const response = await chat();
    await response.text();
    const id = response.headers.get("x-request-id") ?? "";
    await replicas.other.api.gateway.usageWriter.flush();
    const row = await replicas.leader.db.selectFrom("requests").selectAll().where("id", "=", id).executeTakeFirst();
    expect(row).toMatchObject({ outcome: "completed", status: 200, backend: `engine:${MODEL}`, completion_tokens: 3 });
  });

  test("an answer is streamed", async () => {
    const events = parseEvents(await (await chat({ stream: true })).text());
    expect(events.length).toBeGreaterThan(2);
    expect(events.at(-1)).toBe("[DONE]");
  });

  test("the engine sees that a caller has gone", async () => {
    replicas.engines.upstream.scripts.set(MODEL, { tokens: Array<string>(10_000).fill("x"), delayMs: 5 });
    const gone = new AbortController();
    const response = await chat({ stream: true }, {}, gone.signal);
    await response.body?.getReader().read();
    gone.abort();
    await waitFor(() => expect(replicas.engines.upstream.cancelled.length).toBeGreaterThan(0));
    await waitFor(() => {
      const [engine] = replicas.leader.api.backends.registry.candidates(MODEL);
      expect([engine?.inFlight, replicas.other.api.gateway.units.totalInUse()]).toEqual([0, 0]);
    });
  });
});

describe("a model of the hub, called at another replica", () => {
  test("a model of the hub, called at another replica is downloaded by the leader for who may have it, with the caller in the audit log, and refused to others", async () => {
    const folder = mkdtempSync(join(tmpdir(), "replicas-"));
    const hub = await startFakeHub();
    hub.add({ id: "acme/wanted", files: { "model.safetensors": { size: 5_000 } } });
    const tags = ["gguf", "base_model:quantized:acme/wanted"];
    hub.add({ id: "acme/wanted-GGUF", tags, files: { "w-Q8_0.gguf": readFileSync(DEMO_MODEL_FILE) } });
    const replicas = await createTestReplicas({
      env: { FEATHER_HUB_URL: hub.baseUrl, FEATHER_DATA_DIR: folder, FEATHER_AUTO_PULL: "admins" },
    });
    try {
      const { leader, other } = replicas;
      const admin = await leader.signInAdmin();
      const owner = await leader.signUpOnPlan({ concurrency: 4 });
      const names = { id: "acme/wanted", id_lower: "acme/wanted", owned_by: "acme", name: "wanted" };
      const row = { ...names, parameter_size: 1e6, model_class_id: "qwen3-8b", source: "catalogue" };
      await leader.db.insertInto("models").values(row).execute();
      const body = createChatRequest({ model: "acme/wanted" });
      const refused = await other.call(CHAT, { token: owner.token, body });
      expect([refused.status, errorOf(refused.body).code]).toEqual([503, "capacity_exhausted"]);
      const answer = await other.call(CHAT, { token: admin.token, body, headers: { "x-wait-for-model": "20" } });
      expect([answer.status, answer.text]).toMatchObject([200, expect.stringContaining("choices")]);
      const entry = leader.db.selectFrom("audit_log").select(["actor_user_id", "ip"]);
      expect(await entry.where("action", "=", "store.auto_pull").execute()).toEqual([
        { actor_user_id: admin.userId, ip: "127.0.0.1" },
      ]);
      expect(other.api.modelHost.fit.of({ key: "acme/wanted", parameterSize: 1e6, contextLength: null })).toMatchObject(
        {
          verdict: "fits",
          file: "w-Q8_0.gguf",
        },
      );
    } finally {
      await replicas.close();
      await hub.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("a leader that goes", () => {
  test("a leader that goes in the middle of a stream is the error of a backend that dies; a next call is refused with 503", async () => {
    const replicas = await createTestReplicas({
      engine: { tokens: Array<string>(10_000).fill("x"), delayMs: 5 },
    });
    try {
      const owner = await replicas.leader.signUpOnPlan({ concurrency: 4 });
      await waitFor(() => expect(replicas.other.api.modelHost.host.isWarm(MODEL)).toBe(true));
      const options = { token: owner.token, body: createChatRequest({ model: MODEL, stream: true }) };
      const response = await replicas.other.send(CHAT, options);
      const reader = response.body?.getReader();
      await reader?.read();
      await replicas.killLeaderListener();
      replicas.membership.setLeader(null);
      const rest: Uint8Array[] = [];
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) rest.push(part.value);
      const events = parseEvents(Buffer.concat(rest).toString("utf8"));
      expect(errorOf(JSON.parse(events.at(-1) ?? "{}")).code).toBe("upstream_error");

      await replicas.other.api.modelHost.leaderHosting?.refresh();
      const refused = await replicas.other.call(CHAT, options);
      expect([refused.status, errorOf(refused.body).code]).toEqual([503, "unavailable"]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(replicas.other.api.modelHost.host.availability(MODEL), "the next leader has it").toMatchObject({
        tier: "cold",
      });
    } finally {
      await replicas.close();
    }
  });

  test("a leader that goes is followed by a replica that hosts the models itself", async () => {
    const replicas = await createTestReplicas();
    try {
      const owner = await replicas.leader.signUpOnPlan({ concurrency: 4 });
      const { api } = replicas.other;
      await waitFor(() => expect(api.modelHost.host.isWarm(MODEL)).toBe(true));
      await replicas.leader.api.modelHost.stop();
      replicas.membership.setLeader("other");
      expect(api.backends.registry.list()).toEqual([]);
      await startHosting(replicas.other.platform);
      await waitFor(() => expect(api.modelHost.host.isWarm(MODEL)).toBe(true));
      const { status } = await replicas.other.call(CHAT, {
        token: owner.token,
        body: createChatRequest({ model: MODEL }),
      });
      expect(status).toBe(200);
      expect(api.backends.registry.list().every(({ socketPath }) => socketPath !== undefined)).toBe(true);
    } finally {
      await replicas.close();
    }
  });
});
