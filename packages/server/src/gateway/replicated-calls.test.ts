import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, MODEL } from "../testing/chat.ts";
import { createReplicaNetwork, type ReplicaNetwork, type TestReplica } from "../testing/replica-network.ts";
import { createTestServer, type TestServer } from "../testing/server.ts";

const OTHER_MODEL = "Qwen/Qwen3-4B";
let network: ReplicaNetwork;
let own: TestReplica;
let other: TestReplica;
let server: TestServer;
let stopLimits: () => Promise<void>;

beforeAll(async () => {
  server = await createTestServer({
    joinReplicas: async (db) => {
      network = createReplicaNetwork(db);
      own = await network.join();
      other = await network.join();
      return own.replicas;
    },
  });
  stopLimits = server.api.gateway.startLimits();
  await server.addUpstream({}, [MODEL, OTHER_MODEL]);
});
afterEach(() => waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0)));
afterAll(() => server.close());

const chat = (token: string, more: object = {}, headers: Record<string, string> = {}) =>
  server.call("/v1/chat/completions", { token, headers, body: createChatRequest(more) });
const lendToOther = (organizationId: string, units: number) =>
  server.db
    .insertInto("borrowed_units")
    .values({ pool: `organization:${organizationId}`, replica_id: other.replicas.id(), units })
    .execute();

describe("calls to one of several replicas", () => {
  test("calls to one of several replicas are answered within the limits, and refused beyond them", async () => {
    const { token } = await server.signUpOnPlan({
      concurrency: 2,
      daily_request_limit: 3,
      model_switches_per_minute: 1,
    });
    expect((await chat(token)).status).toBe(200);
    const switched = await chat(token, { model: OTHER_MODEL });
    expect([switched.status, errorOf(switched.body).code]).toEqual([429, "model_switch_limit"]);
    expect([(await chat(token)).status, (await chat(token)).status]).toEqual([200, 200]);
    const refused = await chat(token);
    expect([refused.status, errorOf(refused.body).code]).toEqual([429, "rate_limit_exceeded"]);
  });

  test("calls to one of several replicas are refused while another replica has borrowed all units, and preflights too", async () => {
    const { token, organizationId } = await server.signUpOnPlan({ concurrency: 2 });
    await lendToOther(organizationId, 2);
    const refused = await chat(token);
    expect(errorOf(refused.body)).toMatchObject({
      code: "concurrency_limit_exceeded",
      details: { limit: 2, used: 2, cost: 1 },
    });
    const preflight = await server.call("/v1/preflight", { token, body: { model: MODEL } });
    expect(preflight.body).toMatchObject({ admitted: false, refusal: { code: "concurrency_limit_exceeded" } });
  });

  test("calls to one of several replicas wait for units that another replica gives back", async () => {
    const { token, organizationId } = await server.signUpOnPlan({ concurrency: 1 });
    await lendToOther(organizationId, 1);
    const waiting = chat(token, {}, { "x-queue-timeout": "60" });
    await waitFor(() => expect(network.pending()).toBeGreaterThan(0));
    await server.db.deleteFrom("borrowed_units").where("replica_id", "=", other.replicas.id()).execute();
    expect((await waiting).status).toBe(200);
  });

  test("calls to one of several replicas are refused with 503 while the lease does not hold, and answered afterwards", async () => {
    const { token } = await server.signUpOnPlan({ concurrency: 1 });
    own.lapse();
    const refused = await chat(token);
    expect([refused.status, errorOf(refused.body).code]).toEqual([503, "storage_unavailable"]);
    expect(refused.headers.get("retry-after")).toBe("2");
    await own.rejoin();
    expect((await chat(token)).status).toBe(200);
  });

  test("calls to one of several replicas leave nothing borrowed when the server has stopped", async () => {
    await stopLimits();
    const rows = await server.db
      .selectFrom("borrowed_units")
      .selectAll()
      .where("replica_id", "=", own.replicas.id())
      .execute();
    expect(rows).toEqual([]);
  });
});
