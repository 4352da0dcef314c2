import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SignedInActor } from "../platform/core/auth/actor.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const MODEL = "feather/demo";
let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUpOnPlan({ concurrency: 4 });
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

const actor = (): SignedInActor => ({
  kind: "user",
  userId: owner.userId,
  organizationId: owner.organizationId,
  role: "developer",
  isAdmin: false,
  emailVerified: true,
  scopes: ["api.access"],
  credential: { type: "collection", id: "col_1" },
});
const never = () => new AbortController().signal;
const embed = (texts: readonly string[], more: { model?: string; signal?: AbortSignal; queueSeconds?: number } = {}) =>
  server.api.gateway.embedTexts(actor(), { model: MODEL, texts, queueSeconds: 0, signal: never(), ...more });
const lengthOf = (text: string) => [text.length, 1];
const listRows = async () => {
  await server.api.gateway.usageWriter.flush();
  return server.db.selectFrom("requests").selectAll().where("organization_id", "=", owner.organizationId).execute();
};

describe("vectors that the server has made for itself", () => {
  test("come in the order of the texts, and leave a usage row of the person", async () => {
    await server.addUpstream({ embed: lengthOf });
    const before = (await listRows()).length;
    expect(await embed(["a", "bbb", "cc"])).toEqual([
      [1, 1],
      [3, 1],
      [2, 1],
    ]);
    const rows = await listRows();
    expect(rows).toHaveLength(before + 1);
    expect(rows.at(-1)).toMatchObject({
      kind: "embedding",
      outcome: "completed",
      user_id: owner.userId,
      api_key_id: null,
    });
  });

  test("are whole when the answer is longer than what is sent to callers in one piece", async () => {
    await server.addUpstream({
      embed: (text: string) => Array.from({ length: 4_096 }, () => text.length + 0.123456789),
    });
    const [first] = await embed(["a", "b", "c", "d"]);
    expect(first).toHaveLength(4_096);
  });

  test("are refused with the error that a caller would get", async () => {
    await expect(embed(["a"], { model: "acme/unknown" })).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
    await server.addUpstream({ fault: { kind: "refuse", status: 500 } });
    await expect(embed(["a"])).rejects.toMatchObject({ status: 502 });
  });

  test("are given up when the signal aborts, which frees the units and ends the call at the backend", async () => {
    const upstream = await server.addUpstream({ embed: () => new Promise<number[]>(() => {}) });
    const stopping = new AbortController();
    const vectors = embed(["a"], { signal: stopping.signal });
    await waitFor(() => expect(upstream.recordedRequests).toHaveLength(1));
    stopping.abort(new Error("stopping"));
    await expect(vectors).rejects.toThrow("stopping");
    await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
  });

  test("are not begun after the signal has aborted", async () => {
    const upstream = await server.addUpstream({ embed: lengthOf });
    await expect(embed(["a"], { signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow("stopped");
    expect(upstream.recordedRequests).toEqual([]);
  });

  test("wait for units of the organization behind its other calls, as long as the caller says", async () => {
    const gate = Promise.withResolvers<void>();
    const order: string[] = [];
    const upstream = await server.addUpstream({
      embed: async (text: string) => {
        order.push(text);
        if (text === "first") await gate.promise;
        return [1];
      },
    });
    const texts = (name: string) => [name, `${name} 2`, `${name} 3`, `${name} 4`];
    const first = embed(texts("first"));
    await waitFor(() => expect(upstream.recordedRequests).toHaveLength(1));
    await expect(embed(texts("refused"))).rejects.toMatchObject({ status: 429 });
    const background = embed(texts("background"), { queueSeconds: 60 });
    const input = texts("interactive");
    const headers = { "x-queue-timeout": "60" };
    const interactive = server.call("/v1/embeddings", { token: owner.token, headers, body: { model: MODEL, input } });
    await waitFor(() => expect(server.api.gateway.waitQueue.size().requests).toBe(2));
    gate.resolve();
    await Promise.all([first, background, interactive]);
    expect(order.filter((text) => !text.includes(" "))).toEqual(["first", "interactive", "background"]);
  });
});
