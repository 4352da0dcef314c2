import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, LARGE_MODEL, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUpOnPlan({ concurrency: 4, max_context_length: 10_000 });
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const preflight = (body: object, token = owner.token) => server.call("/v1/preflight", { token, body });

describe("preflight", () => {
  test("preflight admits what the call would be admitted for, and holds nothing", async () => {
    const upstream = await server.addUpstream({}, [LARGE_MODEL]);
    const { status, body } = await preflight({ model: LARGE_MODEL.toLowerCase() });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      admitted: true,
      refusal: null,
      model: LARGE_MODEL,
      tier: "warm",
      units: { cost: 4, used: 0, limit: 4 },
      context_length: 10_000,
      credits: null,
    });
    expect([server.api.gateway.units.totalInUse(), upstream.recordedRequests.length]).toEqual([0, 0]);
  });

  test("preflight returns the refusal that the call would get", async () => {
    await server.addUpstream({}, [MODEL, LARGE_MODEL]);
    const small = await server.signUpOnPlan({ concurrency: 1, max_model_size: 1e9 });
    const cases: [object, string, string | undefined][] = [
      [{ model: LARGE_MODEL, prompt_tokens: 20_000 }, "plan_context_exceeded", undefined],
      [{ model: LARGE_MODEL, prompt_tokens: 1_000_000 }, "context_length_exceeded", undefined],
      [{ model: LARGE_MODEL, prompts: 2 }, "model_not_on_plan", undefined],
      [{ model: LARGE_MODEL }, "model_not_on_plan", small.token],
      [{ model: "Qwen/Qwen3-4B" }, "capacity_exhausted", undefined],
    ];
    for (const [body, code, token] of cases)
      expect((await preflight(body, token)).body).toMatchObject({ admitted: false, refusal: { code } });
  });

  test("a model that nothing runs is refused with what admins can do, and others whom to ask", async () => {
    const admin = await server.signInAdmin();
    const sayFor = async (token: string) =>
      ((await preflight({ model: "Qwen/Qwen3-4B" }, token)).body as { refusal: { message: string } }).refusal.message;
    expect(await sayFor(admin.token)).toMatch(/`feather run Qwen\/Qwen3-4B`, or add a backend/);
    expect(await sayFor((await server.signUpOnPlan({})).token)).toMatch(/Request it on its page/);
  });

  test("preflight refuses a prompt that does not fit the context with which the backend runs the model", async () => {
    await server.addUpstream({}, [MODEL], 1, { contextLengths: new Map([[MODEL, 256]]) });
    expect((await preflight({ model: MODEL, prompt_tokens: 255 })).body).toMatchObject({
      admitted: true,
      context_length: 256,
    });
    expect((await preflight({ model: MODEL, prompt_tokens: 256 })).body).toMatchObject({
      admitted: false,
      refusal: { status: 400, code: "context_length_exceeded" },
    });
  });

  test("preflight counts units that other calls hold", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    await server.addUpstream({ thinkUntil: mayAnswer.promise }, [MODEL, LARGE_MODEL]);
    const running = server.call("/v1/chat/completions", {
      token: owner.token,
      body: createChatRequest({ stream: true }),
    });
    await expect.poll(() => server.api.gateway.units.totalInUse()).toBe(1);
    expect((await preflight({ model: LARGE_MODEL })).body).toMatchObject({
      admitted: false,
      refusal: { status: 429, code: "concurrency_limit_exceeded" },
      units: { used: 1 },
    });
    mayAnswer.resolve();
    await running;
  });

  test.each<[string, Parameters<TestServer["signUpOnPlan"]>[0], string]>([
    ["the requests of the day", { daily_request_limit: 1 }, "rate_limit_exceeded"],
    ["the models of the minute", { model_switches_per_minute: 1 }, "model_switch_limit"],
  ])(
    "preflight refuses when %s are used up, as the call would, and uses none up itself",
    async (_limit, plan, code) => {
      await server.addUpstream({}, [MODEL, LARGE_MODEL]);
      const { token } = await server.signUpOnPlan(plan);
      for (let times = 0; times < 2; times++)
        expect((await preflight({ model: MODEL }, token)).body).toMatchObject({ admitted: true });
      const call = (model: string) =>
        server.call("/v1/chat/completions", { token, body: createChatRequest({ model }) });
      expect((await call(MODEL)).status).toBe(200);
      expect((await preflight({ model: LARGE_MODEL }, token)).body).toMatchObject({
        admitted: false,
        refusal: { code },
      });
      expect((await call(LARGE_MODEL)).body).toMatchObject({ error: { code } });
    },
  );

  test("preflight returns what a metered call may cost", async () => {
    await server.addUpstream({}, [MODEL]);
    const metered = await server.signUpOnPlan({ billing_mode: "request_pricing" });
    const { body } = await preflight({ model: MODEL, prompt_tokens: 1_000, max_tokens: 1_000 }, metered.token);
    const { admitted, credits } = body as { admitted: boolean; credits: { needed_nano_usd: string } };
    expect(credits).toMatchObject({ available_nano_usd: "0" });
    expect(admitted).toBe(credits.needed_nano_usd === "0");
  });

  test.each([
    ["no model", {}, 400],
    ["an unknown field", { model: MODEL, stream: true }, 400],
    ["prompts below one", { model: MODEL, prompts: 0 }, 400],
    ["an unknown model", { model: "nobody/nothing" }, 404],
  ])("preflight rejects a request with %s", async (_what, body, status) => {
    const answer = await preflight(body);
    expect([answer.status, typeof errorOf(answer.body).message]).toEqual([status, "string"]);
  });
});
