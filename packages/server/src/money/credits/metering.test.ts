import { createTestClock } from "@feather/testing/clock";
import { waitFor, waitForResolved } from "@feather/testing/wait-for";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { createChatRequest, errorOf, MODEL } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";

const USD = 1_000_000_000n;
// A Wednesday.
const clock = createTestClock("2026-11-18T12:00:00Z");
let server: TestServer;
let counter = 0;

beforeAll(async () => {
  server = await createTestServer({ clock });
});
afterEach(async () => {
  await server.api.gateway.usageWriter.flush();
  await server.removeUpstreams();
  expect(await server.db.selectFrom("credit_reservations").selectAll().execute()).toEqual([]);
  expect(await verifyLedger(server.db)).toEqual([]);
});
afterAll(() => server.close());

type Rates = Partial<Record<"prompt" | "completion" | "request" | "image" | "audio_second" | "character", string>>;

async function paying(usd: number, rates: Rates) {
  const account = await server.signUpOnPlan({ billing_mode: "request_pricing" });
  await setPrice(rates);
  const event = { kind: "top_up", description: "Top-up", reference: `test:${++counter}` } as const;
  if (usd > 0) await server.api.credits.credits.grant(account.organizationId, BigInt(Math.round(usd * 1e9)), event);
  return account;
}

async function setPrice(rates: Rates, target = MODEL): Promise<void> {
  clock.at += 1_000;
  const nothing = { prompt: "0", completion: "0", image: "0", request: "0" };
  const price = { id: `price_${++counter}`, scope: "model", target, ...nothing, ...rates } as const;
  await server.api.prices.pricesRepository.add(
    { ...price, effective_at: clock.now(), created_at: clock.now() },
    server.db,
  );
  server.api.prices.priceBook.invalidate();
}

const chat = (account: { token: string }, more: object = {}) =>
  server.call("/v1/chat/completions", { token: account.token, body: createChatRequest({ max_tokens: 50, ...more }) });
const balance = ({ organizationId }: Account) => server.api.credits.credits.balance(organizationId);
async function rowOf(answer: { headers: Headers }) {
  const row = await server.usageRow(answer.headers.get("request-id"));
  if (!row) throw new Error("There is no usage row.");
  return row;
}
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

describe("a request on a metered plan", () => {
  test.each([false, true])(
    "a request on a metered plan costs the tokens that the backend counted at the model's price (stream: %s)",
    async (stream) => {
      await server.addUpstream();
      const account = await paying(1, { prompt: "0.0001", completion: "0.001", request: "0.01" });
      const answer = await chat(account, { stream });
      const cost = 10_000_000n + 7n * 100_000n + 3n * 1_000_000n;
      expect(await rowOf(answer)).toMatchObject({
        billing_mode: "request_pricing",
        cost_status: "final",
        cost_nano_usd: String(cost),
      });
      expect(await balance(account)).toEqual({ balance: USD - cost, reserved: 0n, available: USD - cost });
      const receipt = await server.call(`/api/usage/requests/${answer.headers.get("request-id")}`, {
        token: account.token,
      });
      expect(receipt.body).toMatchObject({
        cost_nano_usd: String(cost),
        price: { prompt: "0.0001", completion: "0.001", request: "0.01", image: "0", images: 0 },
      });
      const credits = await server.call("/api/usage/credits", { token: account.token });
      expect((credits.body as { transactions: { items: unknown[] } }).transactions.items[0]).toMatchObject({
        kind: "usage",
        amount_nano_usd: String(-cost),
        description: MODEL,
        request_id: answer.headers.get("request-id"),
      });
    },
  );

  test("a request on a metered plan is charged soon after the answer, without waiting for a full batch", async () => {
    await server.addUpstream();
    const account = await paying(1, { request: "0.5" });
    await chat(account);
    const charged = async () => expect((await balance(account)).balance).toBe(USD / 2n);
    await waitFor(charged);
  });

  test("a request on a metered plan is charged at the price from when it began", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const account = await paying(3, { request: "1" });
    const answer = chat(account);
    await waitFor(async () => expect((await balance(account)).reserved).toBe(USD));
    await setPrice({ request: "2" });
    mayAnswer.resolve();
    expect(await rowOf(await answer)).toMatchObject({ cost_nano_usd: String(USD) });
  });

  test("a request on a metered plan reserves its maximum cost while it runs", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const account = await paying(1, { completion: "0.001" });
    const answer = chat(account, { max_tokens: 100 });
    await waitFor(async () => expect((await balance(account)).reserved).toBe(100_000_000n));
    mayAnswer.resolve();
    expect((await answer).status).toBe(200);
    await server.api.gateway.usageWriter.flush();
    expect((await balance(account)).reserved).toBe(0n);
  });

  test("a request on a metered plan is charged for images", async () => {
    const { id } = await server.db
      .selectFrom("models")
      .select("id")
      .where(sql<boolean>`'vision' = any(tags) and not is_gated`)
      .executeTakeFirstOrThrow();
    await server.addUpstream({}, [id]);
    const account = await paying(1, {});
    await setPrice({ image: "0.1" }, id);
    const url = `data:image/png;base64,${"A".repeat(50_000)}`;
    const content = [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url } },
      { type: "image_url", image_url: { url } },
    ];
    const answer = await chat(account, { model: id, messages: [{ role: "user", content }] });
    expect(await rowOf(answer)).toMatchObject({ images: 2, cost_nano_usd: "200000000" });
  });

  test.each([
    ["/v1/completions", { model: MODEL, prompt: "Hello", max_tokens: 20 }],
    ["/v1/responses", { model: MODEL, input: "Hello", max_output_tokens: 20 }],
    ["/v1/messages", { model: MODEL, messages: [{ role: "user", content: "Hello" }], max_tokens: 20 }],
  ])("a request on a metered plan costs the same in every API: %s", async (path, body) => {
    const mayAnswer = Promise.withResolvers<void>();
    await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const account = await paying(1, { prompt: "0.0001", completion: "0.001" });
    const answer = server.call(path, { token: account.token, body });
    await waitFor(async () => expect((await balance(account)).reserved).toBeGreaterThanOrEqual(20_000_000n));
    mayAnswer.resolve();
    expect((await answer).status).toBe(200);
    expect(await rowOf(await answer)).toMatchObject({ cost_nano_usd: String(7n * 100_000n + 3n * 1_000_000n) });
  });

  test("a request on a metered plan is charged for embeddings", async () => {
    await server.addUpstream({ vectors: [[1, 2]] });
    const account = await paying(1, { prompt: "0.01" });
    const answer = await server.call("/v1/embeddings", {
      token: account.token,
      body: { model: MODEL, input: "Hello" },
    });
    expect(answer.status).toBe(200);
    const row = await rowOf(answer);
    expect(row.prompt_tokens).toBeGreaterThan(0);
    expect(row.cost_nano_usd).toBe(String(BigInt(row.prompt_tokens) * 10_000_000n));
  });

  test("a request on a metered plan is charged for the order of texts by request and token", async () => {
    const results = [{ index: 0, relevance_score: 0.5 }];
    const body = JSON.stringify({ results, usage: { prompt_tokens: 7, total_tokens: 7 } });
    await server.addUpstream({ rawAnswer: { contentType: "application/json", body } });
    const account = await paying(1, { prompt: "0.0001", request: "0.002" });
    const call = { model: MODEL, query: "Hello?", documents: ["Hello"] };
    const answer = await server.call("/v1/rerank", { token: account.token, body: call });
    expect(await rowOf(answer)).toMatchObject({ prompt_tokens: 7, cost_nano_usd: String(2_000_000n + 7n * 100_000n) });
  });

  test("a request on a metered plan is charged for the pictures that were made, not for those asked for", async () => {
    const body = JSON.stringify({ created: 1, data: [{ b64_json: "YQ==" }, { b64_json: "Yg==" }] });
    const mayAnswer = Promise.withResolvers<void>();
    await server.addUpstream({ thinkUntil: mayAnswer.promise, rawAnswer: { contentType: "application/json", body } });
    const account = await paying(1, { image: "0.1", prompt: "0.001" });
    const call = { model: MODEL, prompt: "A feather", n: 3 };
    const answer = server.call("/v1/images/generations", { token: account.token, body: call });
    await waitFor(async () => expect((await balance(account)).reserved).toBeGreaterThanOrEqual(300_000_000n));
    mayAnswer.resolve();
    expect(await rowOf(await answer)).toMatchObject({ images: 2, prompt_tokens: 0, cost_nano_usd: "200000000" });
  });

  test("a request on a metered plan is charged for a spoken text once its sound has begun, and no credits are no sound", async () => {
    const sound = { parts: ["ID3", "sound"], contentType: "audio/mpeg" };
    const upstream = await server.addUpstream({ sound, pauseUntil: new Promise(() => {}) });
    const account = await paying(1, { prompt: "0.0001", request: "0.002" });
    const call = { model: MODEL, input: "Feathers are light." };
    const answer = await server.send("/v1/audio/speech", { token: account.token, body: call });
    await answer.body?.cancel();
    const charged = { outcome: "aborted", prompt_tokens: 5, cost_nano_usd: "2500000" };
    await waitFor(async () => expect(await rowOf(answer)).toMatchObject(charged));
    const poor = await paying(0, { prompt: "0.0001" });
    const refused = await server.call("/v1/audio/speech", { token: poor.token, body: call });
    expect([refused.status, upstream.recordedRequests.length]).toEqual([402, 1]);
  });

  test("a request on a metered plan is charged for the characters that are read aloud", async () => {
    await server.addUpstream({ sound: { parts: ["ID3"], contentType: "audio/mpeg" } });
    const account = await paying(1, { character: "0.000015" });
    const call = { model: MODEL, input: "Feathers \u{1fab6}" };
    const answer = await server.send("/v1/audio/speech", { token: account.token, body: call });
    await answer.arrayBuffer();
    expect(await rowOf(answer)).toMatchObject({ characters: 10, cost_nano_usd: "150000" });
    const path = `/api/usage/requests/${answer.headers.get("request-id")}`;
    const receipt = await server.call(path, { token: account.token });
    expect(receipt.body).toMatchObject({ price: { character: "0.000015", characters: 10 } });
  });

  const heard = (answer: object, contentType = "application/json") => ({
    rawAnswer: { contentType, body: JSON.stringify(answer) },
  });
  const hear = (account: { token: string }, bytes: number, fields: Record<string, string> = {}) => {
    const body = new FormData();
    body.append("file", new File([Buffer.alloc(bytes)], "a.mp3"));
    for (const [name, value] of Object.entries({ model: MODEL, ...fields })) body.append(name, value);
    return server.call("/v1/audio/transcriptions", { token: account.token, body });
  };

  test("a request on a metered plan is charged for the seconds of sound at the price of its start", async () => {
    const mayGoOn = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({
      ...heard({ text: "Hi", usage: { type: "duration", seconds: 90.5 } }),
      thinkUntil: mayGoOn.promise,
    });
    const account = await paying(1, { audio_second: "0.0001" });
    const running = hear(account, 32_000);
    await waitFor(() => expect(upstream.active()).toBe(1));
    // 16 seconds, at 2 kB for each
    expect((await balance(account)).reserved).toBe(1_600_000n);
    await setPrice({ audio_second: "0.5" });
    mayGoOn.resolve();
    const row = await rowOf(await running);
    expect(row).toMatchObject({ audio_ms: 90_500, estimated: false, cost_nano_usd: "9050000" });
    expect(await balance(account)).toMatchObject({ reserved: 0n, available: USD - 9_050_000n });
  });

  test("a request on a metered plan is charged for the estimated seconds of sound that the backend does not report", async () => {
    await server.addUpstream(heard({ text: "Hi" }));
    const account = await paying(1, { audio_second: "0.0001" });
    const answer = await hear(account, 32_000, { response_format: "text" });
    expect(await rowOf(answer)).toMatchObject({ audio_ms: 2_000, estimated: true, cost_nano_usd: "200000" });
  });

  test("a request on a metered plan for sound is refused without credits for it, and costs nothing when it fails", async () => {
    const upstream = await server.addUpstream({ fault: { kind: "refuse", status: 500 } });
    const poor = await paying(0.001, { audio_second: "0.0001" });
    expect([(await hear(poor, 32_000)).status, upstream.recordedRequests.length]).toEqual([402, 0]);
    const answer = await hear(await paying(1, { audio_second: "0.0001" }), 32_000);
    expect(await rowOf(answer)).toMatchObject({ outcome: "failed", cost_nano_usd: "0" });
  });

  test("a request on a metered plan for speech that breaks off costs nothing", async () => {
    const sound = { parts: ["ID3", "sound"], contentType: "audio/mpeg" };
    await server.addUpstream({ sound, fault: { kind: "reset", after: 1 } });
    const account = await paying(1, { prompt: "0.0001", request: "0.002" });
    const call = { model: MODEL, input: "Feathers are light." };
    const answer = await server.send("/v1/audio/speech", { token: account.token, body: call });
    await expect(answer.arrayBuffer()).rejects.toThrow("terminated");
    await waitFor(async () => expect(await rowOf(answer)).toMatchObject({ outcome: "failed", cost_nano_usd: "0" }));
  });

  test.each([
    ["fails", { fault: { kind: "refuse", status: 500 } }, false, 502],
    ["breaks off in the middle", { fault: { kind: "hang up", after: 2 } }, true, 200],
  ] as const)("a request on a metered plan costs nothing when it %s", async (_what, script, stream, status) => {
    await server.addUpstream(script);
    const account = await paying(1, { request: "0.5", completion: "0.001" });
    const answer = await chat(account, { stream });
    expect(answer.status).toBe(status);
    expect(await rowOf(answer)).toMatchObject({ outcome: "failed", cost_nano_usd: "0", cost_status: "final" });
    expect(await balance(account)).toEqual({ balance: USD, reserved: 0n, available: USD });
  });

  test("a request on a metered plan is charged for what was generated when the client disconnected", async () => {
    await server.addUpstream({ pauseUntil: new Promise(() => {}), tokens: Array<string>(50).fill("x") });
    const account = await paying(1, { completion: "0.001" });
    const gone = new AbortController();
    const response = await server.send("/v1/chat/completions", {
      token: account.token,
      body: createChatRequest({ stream: true, max_tokens: 50 }),
      signal: gone.signal,
    });
    await response.body?.getReader().read();
    gone.abort();
    await waitFor(async () => expect(await rowOf(response)).toMatchObject({ outcome: "aborted" }));
    const row = await rowOf(response);
    expect(row.completion_tokens).toBeGreaterThan(0);
    expect(row.completion_tokens).toBeLessThan(50);
    expect(row.cost_nano_usd).toBe(String(BigInt(row.completion_tokens) * 1_000_000n));
    expect((await balance(account)).balance).toBe(USD - BigInt(row.cost_nano_usd));
  });

  test("a request on a metered plan is not charged when the client disconnected before the first token", async () => {
    const upstream = await server.addUpstream({ thinkUntil: new Promise(() => {}) });
    const account = await paying(1, { request: "0.5" });
    const gone = new AbortController();
    const response = server
      .send("/v1/chat/completions", { token: account.token, body: createChatRequest(), signal: gone.signal })
      .catch(() => null);
    await waitFor(() => expect(upstream.recordedRequests).toHaveLength(1));
    gone.abort();
    await response;
    await waitFor(async () => {
      await server.api.gateway.usageWriter.flush();
      expect(await balance(account)).toEqual({ balance: USD, reserved: 0n, available: USD });
    });
  });

  test("a request on a metered plan is charged at most the available credits, without those that others have reserved", async () => {
    await server.addUpstream({ usage: { prompt_tokens: 0, completion_tokens: 5_000 } });
    const account = await paying(1, { completion: "0.001" });
    const other = {
      requestId: `req_test_${++counter}`,
      organizationId: account.organizationId,
      userId: null,
      apiKeyId: null,
    };
    await server.api.credits.reservations.reserve({ ...other, amountNano: USD / 4n });
    const answer = await chat(account, { max_tokens: 10 });
    expect((await rowOf(answer)).cost_nano_usd).toBe(String((USD * 3n) / 4n));
    expect(await balance(account)).toEqual({ balance: USD / 4n, reserved: USD / 4n, available: 0n });
    await server.db.deleteFrom("credit_reservations").execute();
  });

  test("a request on a metered plan is rejected before it is sent when credits are insufficient", async () => {
    const upstream = await server.addUpstream();
    const account = await paying(0.5, { request: "0.6" });
    const answer = await chat(account);
    expect(answer.status).toBe(402);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(errorOf(answer.body)).toMatchObject({
      code: "insufficient_credits",
      type: "billing_error",
      details: { available_nano_usd: "500000000", needed_nano_usd: "600000000" },
    });
    expect(upstream.recordedRequests).toEqual([]);
    expect(await server.api.gateway.units.totalInUse()).toBe(0);
    await chat(account, { max_tokens: 10 });
  });

  test("a request on a metered plan is rejected without credits, and allowed when it costs nothing", async () => {
    await server.addUpstream();
    const account = await paying(0, { completion: "0.000001" });
    expect((await chat(account)).status).toBe(402);
    await setPrice({});
    const answer = await chat(account);
    expect([answer.status, (await rowOf(answer)).cost_nano_usd]).toEqual([200, "0"]);
  });
});

describe("requests on flat plans", () => {
  test("requests on flat plans cost nothing, and look up neither price nor credits", async () => {
    await server.addUpstream();
    await setPrice({ request: "1" });
    const account = await server.signUpOnPlan({});
    const spies = [
      vi.spyOn(server.api.credits.reservations, "reserve"),
      vi.spyOn(server.api.prices.priceBook, "findPrice"),
    ];
    const answer = await chat(account);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    expect(await rowOf(answer)).toMatchObject({
      billing_mode: "subscription",
      cost_status: "not_applicable",
      cost_nano_usd: "0",
      price_id: null,
    });
    vi.restoreAllMocks();
  });
});

describe("parallel requests (T13)", () => {
  test.each([
    [1, 2],
    [1, 50],
    [7, 50],
  ])("with credits for %i calls, exactly the affordable ones of %i are answered", async (credits, requests) => {
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const account = await paying(credits, { request: "1" });
    const calls = Array.from({ length: requests }, () => chat(account));
    await waitForResolved(calls, requests - credits);
    mayAnswer.resolve();
    expect(statuses(await Promise.all(calls))).toEqual([
      ...Array<number>(credits).fill(200),
      ...Array<number>(requests - credits).fill(402),
    ]);
    expect(upstream.recordedRequests).toHaveLength(credits);
    await server.api.gateway.usageWriter.flush();
    expect(await balance(account)).toEqual({ balance: 0n, reserved: 0n, available: 0n });
  });
});

describe("the spend limit of a key", () => {
  const limited = async (limit: string, limit_reset: string) => {
    const account = await paying(100, { request: "1" });
    const key = await server.createKey(account, { spend_limit_nano_usd: limit, limit_reset });
    return { account, key: { ...key, token: key.secret } };
  };

  test("the spend limit of a key holds for concurrent calls, and does not affect other keys", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const { account, key } = await limited("3000000000", "month");
    const calls = Array.from({ length: 20 }, () => chat(key));
    await waitForResolved(calls, 17);
    mayAnswer.resolve();
    expect(statuses(await Promise.all(calls))).toEqual([200, 200, 200, ...Array<number>(17).fill(402)]);
    await server.api.gateway.usageWriter.flush();
    const refused = await chat(key);
    expect(errorOf(refused.body)).toMatchObject({
      code: "budget_exceeded",
      details: { limit: "3000000000", used: "3000000000", reset_at: "2026-12-01T00:00:00.000Z" },
    });
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect((await chat(account)).status).toBe(200);
  });

  test("the spend limit of a key is known to preflight, which reserves nothing", async () => {
    await server.addUpstream();
    const { account, key } = await limited("500000000", "month");
    const preflight = (token: string) => server.call("/v1/preflight", { token, body: { model: MODEL } });
    expect((await preflight(account.token)).body).toMatchObject({ admitted: true, refusal: null });
    const { body } = await preflight(key.token);
    expect(body).toMatchObject({ admitted: false, refusal: { status: 402, code: "budget_exceeded" } });
    expect(await balance(account)).toMatchObject({ reserved: 0n });
  });

  test.each([
    ["day", "2026-11-19T00:00:00.000Z"],
    ["week", "2026-11-23T00:00:00.000Z"],
    ["month", "2026-12-01T00:00:00.000Z"],
  ])("the spend limit of a key resets every %s, in UTC", async (limit_reset, reset_at) => {
    await server.addUpstream();
    const { key } = await limited("1000000000", limit_reset);
    const began = clock.at;
    expect((await chat(key)).status).toBe(200);
    await server.api.gateway.usageWriter.flush();
    const refused = await chat(key);
    expect(errorOf(refused.body).details).toMatchObject({ reset_at });
    clock.at = Date.parse(reset_at) - 1;
    expect((await chat(key)).status).toBe(402);
    clock.at = Date.parse(reset_at);
    server.api.prices.priceBook.invalidate();
    expect((await chat(key)).status).toBe(200);
    clock.at = began;
  });

  test.each([
    ["day", "2026-11-19T00:00:00.000Z"],
    ["week", "2026-11-23T00:00:00.000Z"],
    ["month", "2026-12-01T00:00:00.000Z"],
    ["none", null],
  ])(
    "the spend limit of a key is shown with what the key has spent, reset by %s at %s",
    async (limit_reset, reset_at) => {
      await server.addUpstream();
      const { account, key } = await limited("5000000000", limit_reset);
      const began = clock.at;
      const readSpending = async () => {
        const one = await server.call(`/api/api-keys/${key.id}`, { token: account.token });
        const list = await server.call("/api/api-keys", { token: account.token });
        const { spent_nano_usd } = one.body as { spent_nano_usd: string };
        expect(list.body).toMatchObject({
          items: expect.arrayContaining([expect.objectContaining({ id: key.id, spent_nano_usd })]),
        });
        return spent_nano_usd;
      };
      expect(await readSpending()).toBe("0");
      for (const token of [key.token, key.token, account.token]) expect((await chat({ token })).status).toBe(200);
      await server.api.gateway.usageWriter.flush();
      expect(await readSpending()).toBe("2000000000");
      // Sessions end when they are not used for 14 days.
      clock.at = reset_at === null ? clock.at + 13 * DAY_MS : Date.parse(reset_at) - 1;
      expect(await readSpending()).toBe("2000000000");
      if (reset_at !== null) clock.at = Date.parse(reset_at);
      expect(await readSpending()).toBe(reset_at === null ? "2000000000" : "0");
      clock.at = began;
    },
  );

  test("the spend limit of a key never resets without a reset period", async () => {
    await server.addUpstream();
    const { key } = await limited("1000000000", "none");
    const began = clock.at;
    expect((await chat(key)).status).toBe(200);
    await server.api.gateway.usageWriter.flush();
    clock.at += 400 * DAY_MS;
    expect(errorOf((await chat(key)).body)).toMatchObject({ code: "budget_exceeded", details: { reset_at: null } });
    clock.at = began;
  });

  test("the spend limit of a key does not apply to requests on flat plans", async () => {
    await server.addUpstream();
    const account = await server.signUpOnPlan({});
    const { secret } = await server.createKey(account, { spend_limit_nano_usd: "0" });
    expect((await chat({ token: secret })).status).toBe(200);
  });

  test("the spend limit of a key counts earlier spend when it is set later or for another period", async () => {
    await server.addUpstream();
    const { account, key } = await limited("2000000000", "day");
    expect((await chat(key)).status).toBe(200);
    await server.api.gateway.usageWriter.flush();
    await server.call(`/api/api-keys/${key.id}`, {
      method: "PUT",
      token: account.token,
      body: { spend_limit_nano_usd: "1000000000", limit_reset: "month" },
    });
    expect((await chat(key)).status).toBe(402);
  });
});
