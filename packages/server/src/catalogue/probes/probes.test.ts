import type { components } from "@feather/openapi/schema";
import { createTestClock } from "@feather/testing/clock";
import type { UpstreamScript } from "@feather/testing/fake-upstream";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { PROBE_LIMITS } from "./call-backend.ts";
import { createProber } from "./prober.ts";
import { createProbesRepository } from "./probes.repository.ts";
import { createSpending } from "./spending.ts";

type Detail = components["schemas"]["ModelDetail"];
type Places = { items: components["schemas"]["ProbedPlace"][] };
type Body = { messages: { content: unknown }[]; tools?: unknown; response_format?: unknown; max_tokens?: number };

const DAILY = "probe models";
const REQUESTED = "probe requested models";
const DAY_MS = 24 * 60 * 60 * 1000;
const HERE = { hosted: "here", program: "vllm" } as const;
const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
/** A dollar for a million tokens. */
const PRICE = { prompt: "0.000001", completion: "0.000001", cachedPrompt: null };
const NO_ABILITIES = { tools: null, images: null, structuredOutput: null, reasoning: null };

const clock = createTestClock();
let server: TestServer;
let admin: Account;
let modelCount = 0;
let model = "";
beforeAll(async () => {
  server = await createTestServer({ clock, env: { FEATHER_PROBES_DAILY_CENTS: "10" } });
  admin = await server.signInAdmin();
});
afterAll(() => server.close());
beforeEach(async () => {
  model = `acme/probed-${++modelCount}`;
  await addModel(model);
});
afterEach(async () => {
  await server.removeUpstreams();
  await server.db.deleteFrom("probe_spending").execute();
});

const addModel = (id: string, stated: { tools?: boolean; images?: boolean } = {}) =>
  server.api.catalogue.ensureModels([
    {
      id,
      contextLength: 4_096,
      parameterSize: 1e9,
      backend: "fake-1",
      abilities: { ...NO_ABILITIES, ...stated },
      inputModalities: stated.images ? ["text", "image"] : ["text"],
    },
  ]);
const textOf = ({ messages }: Body): string => JSON.stringify(messages);
const isNeedle = (body: Body) => textOf(body).includes("lighthouse");
const isVision = (body: Body) => textOf(body).includes("image_url");
const toToolCall = (name: string, text: string) => ({
  deltas: [{ role: "assistant", tool_calls: [{ index: 0, id: "c1", function: { name, arguments: text } }] }],
  finishReason: "tool_calls",
});

/** Answers every probe as a model would that can do everything. */
function answerAll(given: Record<string, unknown>): ReturnType<NonNullable<UpstreamScript["reply"]>> {
  const body = given as Body;
  if (body.tools) return toToolCall("get_weather", '{"city":"Paris"}');
  if (body.response_format) return { tokens: ['{"capital":"Paris",', '"has_river":true}'] };
  if (isVision(body)) return { tokens: ["Orange."] };
  return { tokens: isNeedle(body) ? ["48213"] : ["one, ", "two"] };
}
/** Answers as that model, except where `other` has something else to say. */
const answerExcept =
  (other: (body: Body) => ReturnType<typeof answerAll> | undefined): NonNullable<UpstreamScript["reply"]> =>
  (body) =>
    other(body as Body) ?? answerAll(body);

const addHere = (script: UpstreamScript = {}) =>
  server.addUpstream({ reply: answerAll, usage: USAGE, ...script }, [model], 1, HERE);
const addElsewhere = (script: UpstreamScript = {}, price: typeof PRICE | null = PRICE) =>
  server.addUpstream({ reply: answerAll, usage: USAGE, ...script }, [model], 1, {
    hosted: "elsewhere",
    places: new Map([[model, { price, quantization: null, abilities: NO_ABILITIES }]]),
  });
const readDetail = async (token?: string) =>
  (await server.call(`/api/feather/models/${model}`, token === undefined ? {} : { token })).body as Detail;
const readResults = async (token?: string) =>
  Object.fromEntries(
    (await readDetail(token)).probes.map(({ ability, result, reason }) => [ability, { result, reason }]),
  );
const readPlaces = async () =>
  ((await server.call(`/api/admin/models/${model}/probes`, { token: admin.token })).body as Places).items;
const requestProbes = async (id = model) =>
  server.call(`/api/admin/models/${id}/probes`, { method: "POST", token: admin.token });
const findBackend = () => {
  const [backend] = server.api.backends.registry.candidates(model);
  if (!backend) throw new Error("no backend runs the model");
  return backend;
};
const readSpent = async () => {
  const row = await server.db.selectFrom("probe_spending").select("spent_nano_usd").executeTakeFirst();
  return Number(row?.spent_nano_usd ?? 0);
};
/** Ends when the upstream has received this many calls. */
const received = (upstream: { recordedRequests: readonly unknown[] }, count: number) =>
  waitFor(() => expect(upstream.recordedRequests.length).toBeGreaterThanOrEqual(count));

test("a model that runs here is asked for each ability, and its page shows the results with place and date", async () => {
  const upstream = await addHere();
  await server.runJob(DAILY);
  expect(await readResults()).toEqual({
    speed: { result: "yes", reason: null },
    tools: { result: "yes", reason: null },
    json_schema: { result: "yes", reason: null },
    vision: { result: "yes", reason: null },
    context: { result: "yes", reason: null },
  });
  const [speed] = (await readDetail()).probes;
  expect(speed).toMatchObject({
    kind: "server",
    name: "This server",
    provider: null,
    hosted: "here",
    prompt_tokens: 100,
    checked_at: clock.now().toISOString(),
  });
  expect(speed).not.toHaveProperty("backend");
  expect((await readDetail(admin.token)).probes[0]).toMatchObject({ backend: findBackend().name, cost: "0.00" });
  const bodies = upstream.recordedRequests.map(({ body }) => body as Body);
  expect(bodies.every(({ max_tokens = 0 }) => max_tokens > 0 && max_tokens <= 512)).toBe(true);
  expect(bodies.filter(isNeedle).map((body) => textOf(body).length)).toEqual([
    expect.toSatisfy((length: number) => length > 3_000 && length < 4_200),
    expect.toSatisfy((length: number) => length > 60_000), // by the count of tokens of the first one
  ]);
});

test("a probe is no caller's call: nothing is stored of it, and the backend's health, speed and keys stay as they were", async () => {
  const before = await server.db.selectFrom("requests").select("id").execute();
  await addHere({ reply: answerExcept(({ tools }) => (tools ? { fault: { kind: "reset", after: 0 } } : undefined)) });
  await server.runJob(DAILY);
  await server.api.gateway.usageWriter.flush();
  expect(await server.db.selectFrom("requests").select("id").execute()).toEqual(before);
  const { failures, lastError, speeds, inFlight } = findBackend();
  expect({ failures, lastError, inFlight, speeds: speeds.size }).toEqual({
    failures: 0,
    lastError: null,
    inFlight: 0,
    speeds: 0,
  });
  expect(server.api.backends.registry.lastAnswerAt(model)).toBe(0);
});

test("a model is asked once a day at each backend, and again when the clock was ahead", async () => {
  const upstream = await addHere();
  await server.runJob(DAILY);
  const first = upstream.recordedRequests.length;
  await server.runJob(DAILY);
  expect(upstream.recordedRequests).toHaveLength(first);
  clock.at += DAY_MS;
  await server.runJob(DAILY);
  expect(upstream.recordedRequests).toHaveLength(2 * first);
  clock.at -= 30 * DAY_MS;
  await server.runJob(DAILY);
  clock.at += 30 * DAY_MS;
  expect(upstream.recordedRequests).toHaveLength(3 * first);
});

test("a refused call, a wrong answer and a wrong colour are a no, in words", async () => {
  const refuse = { fault: { kind: "refuse", status: 400, body: { error: { message: "secret words" } } } } as const;
  await addHere({
    reply: answerExcept((body) => {
      if (body.tools) return refuse;
      if (body.response_format) return { tokens: ["Paris lies at the Seine."] };
      if (isVision(body)) return { tokens: ["It is blue."] };
      return isNeedle(body) ? { tokens: ["I do not know."] } : undefined;
    }),
  });
  await server.runJob(DAILY);
  const results = await readResults();
  expect(results).toEqual({
    speed: { result: "yes", reason: null },
    tools: { result: "no", reason: "It refuses such calls with status 400." },
    json_schema: { result: "no", reason: "Its answer is not a JSON object." },
    vision: { result: "no", reason: "It named another colour." },
    context: { result: "no", reason: "It did not find a number in the middle of a prompt of 100 tokens." },
  });
});

test.each([
  [
    "text instead of a call",
    { tokens: ["It is sunny."] },
    "no",
    "It answered with a text instead of calling the tool.",
  ],
  ["another tool", toToolCall("get_time", "{}"), "no", "It called a tool that there is not."],
  [
    "arguments that are no JSON",
    toToolCall("get_weather", '{"city":'),
    "no",
    "It called the tool with arguments that do not fit it.",
  ],
  ["an answer that was cut", { tokens: ["Let me think"], finishReason: "length" }, "unclear", /limit of tokens/],
  ["nothing", { tokens: [" "] }, "unclear", "Its answer was empty."],
])("a tool call of %s is judged", async (_what, answer, result, reason) => {
  await addHere({ reply: answerExcept(({ tools }) => (tools ? answer : undefined)) });
  await server.runJob(DAILY);
  const { tools } = await readResults();
  expect(tools?.result).toBe(result);
  expect(tools?.reason).toMatch(reason);
});

test("a backend that dies keeps its earlier results, and is asked again on the next day", async () => {
  const upstream = await addHere({
    reply: answerExcept(({ tools }) => (tools ? { fault: { kind: "reset", after: 0 } } : undefined)),
  });
  await server.runJob(DAILY);
  expect(await readResults()).toEqual({ speed: { result: "yes", reason: null } });
  const [place] = await readPlaces();
  expect(place).toMatchObject({ state: "ended", note: "The backend broke off before its answer was complete." });
  const count = upstream.recordedRequests.length;
  await server.runJob(DAILY);
  expect(upstream.recordedRequests).toHaveLength(count);
});

test("a backend at its limit gives no result, and its key gets calls as before", async () => {
  const upstream = await addHere({ headers: { "retry-after": "60" }, fault: { kind: "refuse", status: 429 } });
  server.api.backends.registry.set({ ...findSpec(), keys: [{ label: "only", weight: 1, secret: "sk-1" }] });
  await server.runJob(DAILY);
  expect(upstream.recordedRequests[0]?.headers.authorization).toBe("Bearer sk-1");
  expect(upstream.recordedRequests).toHaveLength(1);
  expect(await readResults()).toEqual({});
  expect(findBackend().keys.list[0]?.rest).toBeNull();
  expect((await readPlaces())[0]?.note).toBe("It answered with status 429.");
});

const findSpec = () => {
  const { name, baseUrl, models, hosted, weight, source, program = "other" } = findBackend();
  return { name, baseUrl, models, hosted, weight, source, program };
};

test("a probe ends as soon as a caller's call comes, and begins again with the next run", async () => {
  const upstream = await addHere({ pauseUntil: new Promise(() => {}) });
  const run = server.runJob(DAILY);
  await received(upstream, 1);
  const lease = server.api.backends.registry.acquire(findBackend());
  await run;
  await waitFor(() => expect(upstream.cancelled).toHaveLength(1));
  expect((await readPlaces())[0]).toMatchObject({ state: "ended", note: "A caller's call came first.", results: [] });
  await server.runJob(DAILY); // the call still runs
  expect(upstream.recordedRequests).toHaveLength(1);
  lease[Symbol.dispose]();
  upstream.scripts.set(`up:${model}`, { reply: answerAll, usage: USAGE });
  await server.runJob(DAILY);
  expect(Object.keys(await readResults())).toHaveLength(5);
});

test("a call that another process has sent to a backend keeps probes away, and ends one that runs", async () => {
  const upstream = await addHere({ pauseUntil: new Promise(() => {}) });
  const counts = [1, 0, 1];
  const prober = createProber({
    db: server.db,
    registry: server.api.backends.registry,
    probesRepository: createProbesRepository(server.db),
    spending: createSpending({ db: server.db, clock, dailyCents: 0 }),
    clock,
    log: { info() {} },
    dailyCents: 0,
    limits: PROBE_LIMITS,
    countCallsOfOthers: async () => counts.shift() ?? 0,
    invalidateModels() {},
  });
  const never = new AbortController().signal;
  await prober.probeDue(never);
  expect(upstream.recordedRequests).toEqual([]);
  await prober.probeDue(never);
  expect(upstream.recordedRequests).toHaveLength(1);
  expect((await readPlaces())[0]?.note).toBe("A caller's call came first.");
});

test("a stop of the server ends a probe at once", async () => {
  const upstream = await addHere({ pauseUntil: new Promise(() => {}) });
  const stopping = new AbortController();
  const run = server.platform.jobs.find(({ name }) => name === DAILY)?.run(stopping.signal);
  await received(upstream, 1);
  stopping.abort();
  await run;
  expect((await readPlaces())[0]?.note).toBe("The server stopped.");
});

test("a model that is removed in mid-probe leaves nothing behind", async () => {
  let resume = () => {};
  const upstream = await addHere({
    pauseUntil: new Promise((resolve) => {
      resume = () => resolve();
    }),
  });
  const run = server.runJob(DAILY);
  await received(upstream, 1);
  await server.db.deleteFrom("models").where("id", "=", model).execute();
  resume();
  await run;
  expect(await server.db.selectFrom("model_probes").where("model_id", "=", model).selectAll().execute()).toEqual([]);
});

test("a backend that is removed in mid-probe ends it", async () => {
  const upstream = await addHere({ pauseUntil: new Promise(() => {}) });
  const run = server.runJob(DAILY);
  await received(upstream, 1);
  server.api.backends.registry.remove(findBackend().name);
  await run;
  const rows = await server.db.selectFrom("model_probe_runs").where("model_id", "=", model).selectAll().execute();
  expect(rows[0]?.note).not.toBeNull();
});

test("no model is loaded for a probe", async () => {
  const upstream = await addHere();
  server.api.backends.registry.set({ ...findSpec(), unloaded: new Set([model]) });
  await server.runJob(DAILY);
  expect(upstream.recordedRequests).toEqual([]);
  expect((await readPlaces())[0]?.obstacle).toBe("The model is not loaded there.");
});

test("of two replicas, one asks a model", async () => {
  const upstream = await addHere();
  const other = server.createOtherPlatform();
  other.api.backends.registry.set(findSpec());
  const jobs = [server.platform, other].map(({ jobs: all }) => all.find(({ name }) => name === DAILY));
  await Promise.all(jobs.map((job) => job?.run()));
  const calls = upstream.recordedRequests.length;
  expect(Object.keys(await readResults())).toHaveLength(5);
  await server.db.updateTable("model_probe_runs").set({ due_at: clock.now() }).where("model_id", "=", model).execute();
  await server.runJob(DAILY);
  expect(upstream.recordedRequests).toHaveLength(2 * calls);
  await other.api.backends.registry.close();
  await other.closePeers();
  await other.closeParsers();
});

test("a provider is asked within the budget, and what it has counted is what is spent", async () => {
  const upstream = await addElsewhere();
  await server.runJob(DAILY);
  const calls = upstream.recordedRequests.length;
  expect(Object.keys(await readResults())).toHaveLength(5);
  expect(await readSpent()).toBe(calls * 110_000); // 110 tokens at 1,000 nano-USD
  expect((await readDetail(admin.token)).probes[0]).toMatchObject({ hosted: "elsewhere", cost: "0.00011" });
});

test("nothing is asked of a provider that states no price, or when the day's budget is used up", async () => {
  const unpriced = await addElsewhere({}, null);
  await server.runJob(DAILY);
  expect(unpriced.recordedRequests).toEqual([]);
  expect((await readPlaces())[0]?.obstacle).toBe("It does not state what the model costs.");
  await server.removeUpstreams();
  const day = clock.now().toISOString().slice(0, 10);
  await server.db.insertInto("probe_spending").values({ day, spent_nano_usd: "100000000" }).execute(); // 10 cents
  const priced = await addElsewhere();
  await server.runJob(DAILY);
  expect(priced.recordedRequests).toEqual([]);
  expect((await readPlaces())[0]?.note).toBe("The daily budget has no room for it.");
  clock.at += DAY_MS;
  await server.runJob(DAILY);
  expect(Object.keys(await readResults())).toHaveLength(5);
});

test("a backend here that states prices passes calls on, so that it is asked within the budget only", async () => {
  await server.addUpstream({ reply: answerAll, usage: USAGE }, [model], 1, {
    ...HERE,
    places: new Map([[model, { price: PRICE, quantization: null, abilities: NO_ABILITIES }]]),
  });
  await server.runJob(DAILY);
  expect(await readSpent()).toBeGreaterThan(0);
});

test("a backend here whose program is unknown may pass calls on, so that only an administrator has it asked", async () => {
  const upstream = await server.addUpstream({ reply: answerAll, usage: USAGE }, [model], 1, { hosted: "here" });
  await server.runJob(DAILY);
  expect(upstream.recordedRequests).toEqual([]);
  await requestProbes();
  await server.runJob(REQUESTED);
  expect(Object.keys(await readResults())).toHaveLength(5);
});

test("a budget that ends in mid-run keeps what was found, and spends no more than it has", async () => {
  // Room for the first two calls: the speed with 64 tokens and the tools with 512, at 50 dollars for a million.
  const dear = { prompt: "0.00005", completion: "0.00005", cachedPrompt: null };
  await addElsewhere({ usage: { prompt_tokens: 400, completion_tokens: 512, total_tokens: 912 } }, dear);
  await server.runJob(DAILY);
  const results = await readResults();
  expect(Object.keys(results)).toEqual(["speed", "tools"].filter((name) => name in results));
  expect(Object.keys(results).length).toBeGreaterThan(0);
  expect((await readPlaces())[0]?.note).toBe("The daily budget has no room for it.");
  expect(await readSpent()).toBeLessThanOrEqual(100_000_000);
});

test("half of a very long context is not sent, and the result says so", async () => {
  const upstream = await addHere({ usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
  server.api.backends.registry.set({ ...findSpec(), contextLengths: new Map([[model, 2_000_000]]) });
  await server.runJob(DAILY);
  const { context } = await readResults();
  expect(context).toMatchObject({ result: "unclear", reason: expect.stringContaining("1000000 tokens") });
  expect(upstream.recordedRequests.filter(({ body }) => isNeedle(body as Body))).toHaveLength(1);
});

test("an ability that was shown becomes the model's, and pictures are let through", async () => {
  await addHere();
  await server.runJob(DAILY);
  const { features, input_modalities, tags } = await readDetail();
  expect(features).toMatchObject({ tool_use: true, image_input: true, json_mode: true });
  expect(input_modalities).toEqual(["text", "image"]);
  expect(tags).toEqual(expect.arrayContaining(["tool-use", "vision"]));
  const found = await server.api.catalogue.callableModels.findByKey(model, admin.organizationId);
  expect(found.inputModalities).toContain("image");
});

test("an ability that only lists state is removed when no backend has shown it, and its list does not bring it back", async () => {
  model = "acme/overstated";
  await addModel(model, { tools: true, images: true });
  expect((await readDetail()).features).toMatchObject({ tool_use: true, image_input: true });
  const failing = answerExcept((body) => (body.tools || isVision(body) ? { tokens: ["Hm."] } : undefined));
  const upstream = await addHere({ reply: failing });
  const { name } = findBackend();
  await server.runJob(DAILY);
  expect((await readDetail()).features).toMatchObject({ tool_use: false, image_input: false });
  const restate = (backend: string) =>
    server.api.catalogue.ensureModels([
      {
        id: model,
        contextLength: 4_096,
        parameterSize: 1e9,
        backend,
        abilities: { ...NO_ABILITIES, tools: true, images: true },
        inputModalities: ["text", "image"],
      },
    ]);
  await restate(name);
  expect((await readDetail()).features).toMatchObject({ tool_use: false, image_input: false });
  await restate("another backend");
  expect((await readDetail()).features).toMatchObject({ tool_use: true, image_input: true });
  expect(upstream.recordedRequests.length).toBeGreaterThan(0);
});

test("an ability stays while one backend was not asked for it", async () => {
  model = "acme/stated-twice";
  await addModel(model, { tools: true });
  await addHere({ reply: answerExcept(({ tools }) => (tools ? { tokens: ["Hm."] } : undefined)) });
  await addHere();
  const [, second] = server.api.backends.registry.candidates(model);
  server.api.backends.registry.set({
    name: second?.name ?? "",
    source: "settings",
    baseUrl: second?.baseUrl ?? "",
    weight: 1,
    hosted: "here",
    models: new Map([[model, `up:${model}`]]),
    unloaded: new Set([model]),
  });
  await server.runJob(DAILY);
  expect((await readDetail()).features.tool_use).toBe(true);
});

test("what an administrator has set is never changed by a probe", async () => {
  const change = { method: "PUT", token: admin.token, body: { tags: ["chat"], input_modalities: ["text"] } };
  expect((await server.call(`/api/admin/models/${model}`, change)).status).toBe(200);
  await server.db.updateTable("models").set({ source: "hub" }).where("id", "=", model).execute();
  await addHere();
  await server.runJob(DAILY);
  expect((await readResults()).vision?.result).toBe("yes");
  expect((await readDetail()).features).toMatchObject({ tool_use: false, image_input: false });
  await addModel(model, { images: true }); // as the list of its backend states it
  expect((await readDetail()).features.image_input).toBe(false);
});

test("a run whose process has ended is not shown as running for ever, and is taken over", async () => {
  await addHere();
  const row = { model_id: model, backend: findBackend().name, started_at: clock.now(), due_at: clock.now() };
  await server.db.insertInto("model_probe_runs").values(row).execute();
  await server.runJob(DAILY);
  expect((await readPlaces())[0]).toMatchObject({ state: "running", results: [] });
  clock.at += 21 * 60_000;
  expect((await readPlaces())[0]?.state).toBe("ended");
  await server.runJob(DAILY);
  expect(Object.keys(await readResults())).toHaveLength(5);
});

test("an administrator has a model asked now, and follows it", async () => {
  await addHere();
  const answer = await requestProbes();
  expect(answer.status).toBe(202);
  expect((answer.body as Places).items).toMatchObject([{ state: "waiting", obstacle: null, results: [] }]);
  await server.runJob(REQUESTED);
  const [place] = await readPlaces();
  expect(place).toMatchObject({ state: "ended", note: null, hosted: "here" });
  expect(place?.results.map(({ ability }) => ability)).toEqual(["speed", "tools", "json_schema", "vision", "context"]);
  expect((await requestProbes("acme/unknown")).status).toBe(404);
});

test("a model that was asked for waits while its backend answers a caller", async () => {
  const upstream = await addHere();
  const lease = server.api.backends.registry.acquire(findBackend());
  await requestProbes();
  await server.runJob(REQUESTED);
  expect((await readPlaces())[0]?.state).toBe("waiting");
  lease[Symbol.dispose]();
  await server.runJob(REQUESTED);
  expect((await readPlaces())[0]?.state).toBe("ended");
  expect(upstream.recordedRequests.length).toBeGreaterThan(4);
});

test("the results of a backend that an administrator removes are deleted", async () => {
  await addHere();
  await server.runJob(DAILY);
  const { name } = findBackend();
  const body = { name: "to-remove", base_url: "http://1.1.1.1/v1", models: [model] };
  const { id } = (await server.call("/api/admin/backends", { token: admin.token, body })).body as { id: string };
  await server.db.updateTable("model_probes").set({ backend: "to-remove" }).where("backend", "=", name).execute();
  await server.call(`/api/admin/backends/${id}`, { method: "DELETE", token: admin.token });
  const rows = await server.db.selectFrom("model_probes").where("model_id", "=", model).selectAll().execute();
  expect(rows).toEqual([]);
});
