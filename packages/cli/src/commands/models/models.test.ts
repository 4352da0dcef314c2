import type { ModelDetail, ModelFit } from "@feather/sdk";
import { buildAvailability, buildModel, buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const pull = (fields: object = {}) => ({
  id: "pull_1",
  model_id: "Qwen/Tiny-GGUF",
  repository: "Qwen/Tiny-GGUF",
  file: "tiny-q8_0.gguf",
  state: "downloading",
  bytes_done: 250_000_000,
  bytes_total: 500_000_000,
  conversion_progress: null,
  organization_id: null,
  error: null,
  created_at: "2026-11-21T11:58:00.000Z",
  ...fields,
});
const review = {
  id: "rev_1",
  user: { name: "Maria" },
  rating: 5,
  review: "Careful \u001b[2Jwith tables.",
  tags: ["coding"],
  helpful_count: 3,
  helpful: false,
  verified_caller: true,
  mine: false,
  created_at: "2026-11-20T12:00:00.000Z",
  updated_at: "2026-11-20T12:00:00.000Z",
};
const family = { id: "qwen", name: "Qwen", owner: "Alibaba Cloud", description: "", model_count: 1200 };
const FIT: ModelFit = {
  verdict: "fits_quantized",
  file: null,
  context: 8192,
  memory_bytes: 21_500_000_000,
  available_bytes: 38_000_000_000,
  reason: "It takes about 21.50 GB of memory as Q4_K_M; models may take 38.00 GB here.",
};
const QWEN = "/feather/models/Qwen%2FQwen3-32B";
const NOTHING_STATED = { tools: null, images: null, structured_output: null, reasoning: null };
const PLACES: ModelDetail["places"] = [
  {
    kind: "server",
    name: "This server",
    provider: null,
    hosted: "here",
    location: null,
    region: null,
    state: "cold",
    price: null,
    context_length: 40_960,
    max_completion_tokens: null,
    quantization: "Q4_K_M",
    abilities: NOTHING_STATED,
  },
  {
    kind: "provider",
    name: "Mistral",
    provider: "mistral",
    hosted: "elsewhere",
    location: "EU",
    region: null,
    state: "warm",
    price: {
      prompt: "0.0000001",
      completion: "0.0000003",
      cached_prompt: null,
      input: 0.1,
      output: 0.3,
      cached_input: null,
    },
    context_length: null,
    max_completion_tokens: null,
    quantization: null,
    abilities: { ...NOTHING_STATED, tools: true, images: false },
    backend: "mine",
  },
];

const PROBE = {
  result: "yes",
  reason: null,
  kind: "server",
  name: "This server",
  provider: null,
  hosted: "here",
  prompt_tokens: 182,
  first_token_ms: 210,
  tokens_per_second: 42.5,
  duration_ms: 1730,
  checked_at: "2026-11-21T10:00:00.000Z",
};
const PROBES = [
  { ...PROBE, ability: "speed" },
  { ...PROBE, ability: "tools" },
  { ...PROBE, ability: "vision", result: "no", reason: "It named no colour." },
  { ...PROBE, ability: "context", prompt_tokens: 16_384 },
  { ...PROBE, ability: "json_schema", result: "unclear", name: "Mistral", kind: "provider", backend: "mine" },
];

/** Since when the hub was not read; null if it was just now. */
let cachedAt: string | null = null;
/** How the download stands the next times it is looked at; the last one stays. */
let states: object[] = [];
const REASON = "No node has room for it: 0/3 nodes are available: 3 Insufficient nvidia.com/gpu.";
const WAITING = buildAvailability({ tier: "loading", loading_reason: REASON });

const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /feather/models": ({ query }) => ({
    body: buildPage([buildModel(query.has("fit") || query.get("sort") === "fit" ? { fit: FIT } : {})]),
  }),
  "GET /feather/models/acme%2Fwaits": () => ({
    body: { ...buildModel({ id: "acme/waits", availability: WAITING }), readme: null, places: [], probes: [] },
  }),
  "GET /feather/models/acme%2Ftwice": () => ({
    body: {
      ...buildModel({ id: "acme/twice", hosted: ["here", "elsewhere"] }),
      readme: null,
      places: PLACES,
      probes: PROBES,
    },
  }),
  [`GET ${QWEN}`]: () => ({ body: { ...buildModel({ fit: FIT }), readme: null, places: [], probes: [] } }),
  "GET /feather/families": () => ({ body: { items: [{ ...family, sub_types: [{ id: "qwen3" }, { id: "qwen2" }] }] } }),
  "GET /feather/releases": () => ({
    body: buildPage([{ date: "2025-04-29", model_count: 2, models: ["a/b", "c/d"] }], 9),
  }),
  "GET /feather/popular": () => ({ body: { popular: [{ id: "Qwen/Qwen3-32B", score: 1, requests_7d: 4100 }] } }),
  [`GET ${QWEN}/reviews`]: () => ({ body: { ...buildPage([review]), summary: {} } }),
  [`POST ${QWEN}/reviews`]: ({ body }) => ({ status: 201, body: { ...review, ...(body as object) } }),
  "PUT /feather/models/Qwen%2FQwen3-23B/favorite": () =>
    errorResponse(404, "model_not_found", "There is no such model.", { suggestions: ["Qwen/Qwen3-32B"] }),
  [`PUT ${QWEN}/favorite`]: () => ({ status: 204 }),
  [`DELETE ${QWEN}/favorite`]: () => ({ status: 204 }),
  [`POST ${QWEN}/unlock`]: () => ({ body: { model_id: "Qwen/Qwen3-32B", unlocked_at: "2026-11-21", method: "token" } }),
  [`POST ${QWEN}`]: () => ({ status: 202, body: { id: "Qwen/Qwen3-32B", status: "pending_deploy" } }),
  "GET /admin/store/files": () => ({
    body: {
      model_id: "Qwen/Tiny",
      repository: "b/Tiny-GGUF",
      chosen: "t-Q4_K_M.gguf",
      reason: null,
      is_conversion: false,
      cached_at: cachedAt,
      files: [{ file: "t-Q4_K_M.gguf", bytes: 4_900_000_000, quantization: "Q4_K_M", fits: true }],
    },
  }),
  "POST /admin/store/pulls": ({ body }) =>
    (body as { model_id: string }).model_id === "no/where"
      ? errorResponse(404, "hub.not_found", "The hub has no model no/where.")
      : { status: 202, body: pull({ state: "queued", bytes_done: 0 }) },
  "GET /admin/store/pulls": () => {
    const next = states.length > 1 ? states.shift() : states[0];
    return { body: { items: next === undefined ? [] : [pull(next)] } };
  },
  "DELETE /admin/store/pulls/pull_1": () => ({ status: 204 }),
  "POST /admin/store/pulls/pull_1/pause": () => ({ body: pull({ state: "paused" }) }),
  "POST /admin/store/pulls/pull_1/resume": () => ({ body: pull({ state: "queued" }) }),
});
const writes = () => requests().filter(({ method }) => method !== "GET");

test.each([
  ["models families", /^qwen +1,200 +Alibaba Cloud +qwen3, qwen2$/m],
  ["models releases", /^29 Apr 2025 +2 +a\/b, c\/d$/m],
  ["models popular", /^Qwen\/Qwen3-32B +4,100$/m],
  ["models reviews list Qwen/Qwen3-32B", /^ +5 +Maria +1 day ago +3 +Careful \\x1b\[2Jwith tables\. +coding$/m],
  ["models search qwen coder", /^Qwen\/Qwen3-32B /m],
  ["models pulls list", /^Qwen\/Tiny-GGUF +downloading +50 % +250 MB of 500 MB +2 minutes ago/m],
])("%s is a table for people", async (line, row) => {
  states = [{}];
  const { code, out } = await runInteractive(line);
  expect(code).toBe(0);
  expect(out).toMatch(row);
});

test("models list --fit says how each model fits, and lists have no such column otherwise", async () => {
  expect((await runInteractive("models list --fit")).out).toMatch(/FITS\n[^\n]+ in fewer bits, 21.5 GB\n/);
  expect((await run("models list --fit")).out).toMatch(/\tfits_quantized\n$/);
  expect((await runInteractive("models list --sort fit")).out).toContain("in fewer bits, 21.5 GB");
  expect((await runInteractive("models list")).out).not.toContain("FITS");
});

test("models files lists what the hub has, and says what a download takes", async () => {
  const { out, err } = await runInteractive("models files Qwen/Tiny");
  expect(out).toMatch(/^t-Q4_K_M\.gguf +4\.9 GB +Q4_K_M +yes$/m);
  expect(err).toContain("They are in b/Tiny-GGUF.");
  expect(err).toContain("feather models pull Qwen/Tiny takes t-Q4_K_M.gguf.");
  expect((await run("models files Qwen/Tiny")).out).toBe("t-Q4_K_M.gguf\t4900000000\tQ4_K_M\ttrue\n");
});

test("models files says that the hub cannot be reached, and how old the list is", async () => {
  cachedAt = "2026-11-18T12:00:00.000Z";
  const { err } = await runInteractive("models files Qwen/Tiny");
  cachedAt = null;
  expect(err).toContain("The hub cannot be reached. This is what it had 3 days ago.");
});

test("models show says what hinders a model from being started", async () => {
  const { out } = await runInteractive("models show acme/waits");
  expect(out.replaceAll(/\s+/g, " ")).toContain(`reason ${REASON}`);
});

test("models show says where a model answers, and what each place says of it", async () => {
  const { out } = await runInteractive("models show acme/twice");
  expect(out).toMatch(/^answers at +This server, here: 40Ki tokens, Q4_K_M, cold$/m);
  expect(out).toMatch(
    /^answers at +Mistral \(mine\), elsewhere, European Union: \$0\.10 in and \$0\.30 out per million tokens, tools, warm$/m,
  );
  const json = await run("models show acme/twice --json hosted,places");
  expect(JSON.parse(json.out)).toEqual({ hosted: ["here", "elsewhere"], places: PLACES });
});

test("models show says what a model has shown at each place, and when", async () => {
  const { out } = await runInteractive("models show acme/twice");
  expect(out).toMatch(
    /^shown at +This server, .* ago: 42\.5 tokens\/s, tools, no pictures, long prompts \(16,384 tokens\)$/m,
  );
  expect(out).toMatch(/^shown at +Mistral \(mine\), .* ago: JSON schemas unclear$/m);
  const json = await run("models show acme/twice --json probes");
  expect(JSON.parse(json.out)).toEqual({ probes: PROBES });
});

test("models list --where says where models can be called, and lists have no such column otherwise", async () => {
  expect((await runInteractive("models list --where here")).out).toMatch(/STATE +WHERE\n.* warm +here/);
  expect((await run("models list --where here")).out).toContain("\twarm\there\n");
  expect((await runInteractive("models list")).out).not.toContain("WHERE");
});

test("models show says how a model fits the server", async () => {
  expect((await runInteractive("models show Qwen/Qwen3-32B")).out).toMatch(/^memory +in fewer bits, 21.5 GB$/m);
});

test("models popular takes a part of the list, and says what a page beyond it lacks", async () => {
  expect((await run("models popular --limit 1 --page 2")).err).toBe(
    "There are 1 models on 1 page, and none on page 2.\n",
  );
});

test.each([
  ["models families", "qwen\t1200\tAlibaba Cloud\tqwen3, qwen2\n"],
  ["models families --json id,model_count", '[{"id":"qwen","model_count":1200}]\n'],
  ["models releases", "2025-04-29\t2\ta/b,c/d\n"],
  ["models popular -q", "Qwen/Qwen3-32B\n"],
  ["models popular --jq .popular[0].requests_7d", "4100\n"],
  ["models reviews list Qwen/Qwen3-32B --json id,rating", '[{"id":"rev_1","rating":5}]\n'],
  ["models search qwen -q", "Qwen/Qwen3-32B\n"],
  [
    "models pulls list",
    "Qwen/Tiny-GGUF\tdownloading\t250000000\t500000000\t2026-11-21T11:58:00.000Z\ttiny-q8_0.gguf\tpull_1\n",
  ],
])("%s prints exact values in a pipe", async (line, text) => {
  states = [{}];
  expect(await run(line)).toMatchObject({ code: 0, out: text, err: "" });
});

test.each([
  ["models search qwen coder --warm", { search: "qwen coder", availability: "warm" }],
  ["models search qwen --saved", { search: "qwen", saved: "true" }],
  ["models list --callable", { callable: "true" }],
  ["models list --where elsewhere", { hosted: "elsewhere" }],
  ["models list --fit", { fit: "fits,fits_quantized" }],
  ["models list --sort fit", { sort: "fit" }],
  ["models reviews list Qwen/Qwen3-32B --sort=-rating", { sort: "-rating" }],
  ["models reviews list Qwen/Qwen3-32B --tags coding,fast", { tags: "coding,fast" }],
])("%s sends its words and flags", async (line, sent) => {
  await run(line);
  expect(Object.fromEntries(new URL(requests()[0]?.url ?? "", "http://server").searchParams)).toMatchObject(sent);
});

test.each([
  ["models favorite Qwen/Qwen3-32B", "PUT", undefined, "is a favorite now"],
  ["models favorite Qwen/Qwen3-32B --remove", "DELETE", undefined, "no longer"],
  ["models request Qwen/Qwen3-32B", "POST", {}, "An admin of the server decides"],
  ["models unlock Qwen/Qwen3-32B --with-token", "POST", { access_token: "hf_1" }, "is open to you"],
  ["models reviews write Qwen/Qwen3-32B Good --rating 4", "POST", { review: "Good", rating: 4 }, "4 of 5"],
  ["models pull Qwen/Tiny-GGUF --file a.gguf", "POST", { model_id: "Qwen/Tiny-GGUF", file: "a.gguf" }, "Downloading"],
  ["models pulls pause pull_1", "POST", undefined, "Paused pull_1 at 250 MB of 500 MB."],
  ["models pulls resume pull_1", "POST", undefined, "pull_1 goes on at 250 MB of 500 MB."],
  ["models pulls cancel pull_1", "DELETE", undefined, "Stopped pull_1"],
])("%s sends its request", async (line, method, body, message) => {
  const { code, err } = await run(line, { stdin: "hf_1\n" });
  expect(code).toBe(0);
  expect(err).toContain(message);
  expect(writes()).toMatchObject([{ method }]);
  expect(writes()[0]?.body).toEqual(body);
});

test.each([
  ["done", [{}, { state: "verifying" }, { state: "done", bytes_done: 500_000_000 }], "--wait", 0, "is ready to run"],
  ["failed", [{}, { state: "failed", error: "The checksum is wrong." }], "--wait", 5, "The checksum is wrong."],
  ["canceled", [{}, { state: "canceled" }], "--wait", 5, "ended as canceled"],
  ["missing", [], "--wait", 5, "is gone"],
  ["after the timeout", [{}], "--timeout 0s", 8, "the work goes on"],
])("a download that ends %s ends the wait", async (_, next, flags, expected, message) => {
  states = next;
  const { code, err } = await run(`models pull Qwen/Tiny-GGUF ${flags}`);
  expect(code).toBe(expected);
  expect(err).toContain(message);
});

test("models pulls list says how much of a download has arrived", async () => {
  states = [{}, { state: "done", bytes_done: 500_000_000 }];
  const { err } = await runInteractive("models pull Qwen/Tiny-GGUF --wait");
  expect(err).toContain("downloading   12:00:00  250 MB of 500 MB  50 %");
});

test.each([
  ["models reviews list Qwen/Qwen3-32B --sort stars", 2, "-helpful_count"],
  ["models reviews write Qwen/Qwen3-32B Good", 2, "a rating is missing"],
  ["models reviews write Qwen/Qwen3-32B Good --rating 6", 2, "between 1 and 5"],
  ["models search", 2, "missing required argument"],
  ["models families --json nope", 2, "unknown field"],
  ["models unlock Qwen/Qwen3-32B --with-token", 2, "no token came on stdin"],
  ["models favorite Qwen/Qwen3-23B", 3, "Qwen/Qwen3-32B"],
  ["models pull no/where", 3, "The hub has no model no/where."],
])("%s exits with %i and says why", async (line, expected, message) => {
  const { code, err } = await run(line);
  expect(code).toBe(expected);
  expect(err).toContain(message);
});

test("a download needs a sign-in, and browsing needs none", async () => {
  expect((await runAnonymous("models pull Qwen/Tiny-GGUF")).code).toBe(4);
  expect((await runAnonymous("models families")).code).toBe(0);
});
