import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChatRequest } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";

const START = 1_000_000_000_000n;
const REQUESTS = 400;
const RATES = { prompt: 0.000_000_3, completion: 0.000_001_2, request: 0.000_01 };
/** The same prices in femto-USD, written out independently of the code under test. */
const FEMTO = { prompt: 300_000_000n, completion: 1_200_000_000n, request: 10_000_000_000n };

let server: TestServer;
let account: Account;

beforeAll(async () => {
  server = await createTestServer();
  account = await server.signUpOnPlan({ billing_mode: "request_pricing", concurrency: null });
  const event = { kind: "grant", description: "", reference: "test" } as const;
  await server.api.credits.credits.grant(account.organizationId, START, event);
});
afterAll(() => server.close());

/** Returns pseudo-random numbers that are the same in each run. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const cost = (prompt: number, completion: number) => {
  const femto = FEMTO.request + FEMTO.prompt * BigInt(prompt) + FEMTO.completion * BigInt(completion);
  return (femto + 999_999n) / 1_000_000n;
};

type Kind = "whole" | "stream" | "fails" | "breaks off" | "is cut";
type Model = { id: string; kind: Kind; prompt: number; completion: number };

/** Sets up models whose backends behave in five ways and report random token counts. These counts are the expected ones. */
async function startModels(next: (below: number) => number): Promise<Model[]> {
  const rows = await server.db
    .selectFrom("models")
    .select("id")
    .where("is_gated", "is not", true)
    .orderBy("id")
    .limit(25)
    .execute();
  const kinds: Kind[] = ["whole", "stream", "fails", "breaks off", "is cut"];
  const models = rows.map(({ id }, index) => ({
    id,
    kind: kinds[index % kinds.length] ?? "whole",
    prompt: next(5_000),
    completion: next(2_000),
  }));
  const upstream = await server.addUpstream(
    {},
    models.map(({ id }) => id),
  );
  for (const { id, kind, prompt, completion } of models) {
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    const tokens = Array<string>(40).fill("x");
    if (kind === "fails") upstream.scripts.set(`up:${id}`, { fault: { kind: "refuse", status: 400 } });
    else if (kind === "breaks off") upstream.scripts.set(`up:${id}`, { usage, fault: { kind: "hang up", after: 3 } });
    else if (kind === "is cut") upstream.scripts.set(`up:${id}`, { usage, tokens, delayMs: 10 });
    else upstream.scripts.set(`up:${id}`, { usage, thinkMs: next(20) });
  }
  return models;
}

async function setPrices(models: readonly Model[]): Promise<void> {
  const admin = await server.signInAdmin();
  const body = {
    prompt: RATES.prompt.toFixed(10),
    completion: RATES.completion.toFixed(10),
    request: RATES.request.toFixed(10),
  };
  for (const { id } of models)
    expect((await server.call(`/api/admin/base-models/${id}/prices`, { token: admin.token, body })).status).toBe(201);
}

/** Makes a call and returns its id. For some models the caller disconnects after `patience`. */
async function call({ id, kind }: Model, patience: number): Promise<string> {
  const gone = new AbortController();
  const stream = kind !== "whole" && kind !== "fails";
  const body = createChatRequest({ model: id, stream, max_tokens: 2_000 });
  const response = await server.send("/v1/chat/completions", { token: account.token, body, signal: gone.signal });
  if (kind === "is cut") {
    await sleep(patience);
    gone.abort();
  }
  await response.text().catch(() => "");
  return response.headers.get("request-id") ?? "";
}

test("metering charges what the backend counted for hundreds of mixed concurrent requests (T15)", async () => {
  const next = numbers(15);
  const models = await startModels(next);
  await setPrices(models);
  const made: { id: string; model: Model }[] = [];
  const waiting = Array.from({ length: REQUESTS }, () => models[next(models.length)] as Model);
  const caller = async () => {
    for (let model = waiting.pop(); model; model = waiting.pop())
      made.push({ id: await call(model, next(150)), model });
  };
  await Promise.all(Array.from({ length: 40 }, caller));
  while ((await server.api.gateway.units.totalInUse()) > 0) await sleep(10);
  await server.api.gateway.usageWriter.flush();

  const rows = await server.db.selectFrom("requests").selectAll().execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  expect(new Set(made.map(({ id }) => id)).size).toBe(REQUESTS);
  let total = 0n;
  for (const { id, model } of made) {
    const row = byId.get(id);
    if (!row) throw new Error(`${id} has no row.`);
    const charged = BigInt(row.cost_nano_usd);
    if (row.outcome === "completed") expect(charged).toBe(cost(model.prompt, model.completion));
    else if (row.outcome === "aborted") {
      // The tokens that were relayed before the caller disconnected are counted: at most the 40 that were sent.
      expect(row.completion_tokens).toBeLessThanOrEqual(40);
      expect(charged).toBe(row.completion_tokens > 0 ? cost(row.prompt_tokens, row.completion_tokens) : 0n);
    } else expect(charged).toBe(0n);
    total += charged;
  }
  const outcomes = Object.groupBy(rows, ({ outcome }) => outcome);
  for (const outcome of ["completed", "aborted", "failed"]) expect(outcomes[outcome]?.length).toBeGreaterThan(20);
  const { balance, reserved } = await server.api.credits.credits.balance(account.organizationId);
  expect({ balance, reserved }).toEqual({ balance: START - total, reserved: 0n });
  expect(await server.api.ledger.balance("revenue:usage")).toBe(total);
  expect(await verifyLedger(server.db)).toEqual([]);
});
