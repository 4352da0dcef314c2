import { buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const receipt = {
  id: "req_1",
  model: "Qwen/Qwen3-32B",
  alias: "fast",
  model_class: "qwen3-32b",
  deployment_id: null,
  kind: "chat",
  outcome: "failed",
  status: 503,
  error_code: "model_unavailable",
  streamed: true,
  prompt_tokens: 1000,
  completion_tokens: 212,
  cached_tokens: 64,
  audio_seconds: null,
  estimated: false,
  units: 2,
  api_key_id: null,
  user_id: null,
  billing_mode: "subscription",
  cost_status: "not_applicable",
  cost_nano_usd: "0",
  price: null,
  started_at: "2026-11-21T11:58:00.000Z",
  place: "groq",
  chosen_by: "price",
  own_key: false,
  own_key_fee_percent: null,
  place_costs: [
    { place: "server", name: "This server", cost_nano_usd: "0" },
    { place: "groq", name: "Groq", cost_nano_usd: "45200" },
  ],
  passed_over: [{ model: "Qwen/Qwen3-235B", reason: "model_loading" }],
  queued_ms: 250,
  first_byte_ms: 236,
  duration_ms: 3400,
};
const row = (group: object, requests: number, tokens: number) => ({
  group,
  request_count: requests,
  error_count: 1,
  input_tokens: tokens - 100,
  output_tokens: 100,
  cost_nano_usd: "45000",
});
const ROWS: Record<string, object[]> = {
  day: [row({ day: "2026-11-21" }, 8402, 16_200_000), row({ day: "2026-11-19" }, 2911, 4_050_000)],
  hour: [row({ hour: "2026-11-21T11:00:00Z" }, 3, 900)],
  model: [row({ model: "Qwen/Qwen3-32B" }, 12, 1200)],
  api_key: [row({ api_key: "key_1" }, 12, 1200), row({ api_key: "" }, 1, 200)],
  outcome: [row({ outcome: "completed" }, 12, 1200)],
};
const slice = (at: string, used: number, rejected: number) => ({
  bucket_at: at,
  used_max: used,
  used_avg: 1.5,
  rejected,
});
const units = {
  limit: 4,
  peak: 4,
  items: [slice("2026-11-19T00:00:00.000Z", 2, 0), slice("2026-11-21T00:00:00.000Z", 4, 402)],
};
const live = {
  limit: 4,
  used_cost: 2,
  request_count: 1,
  requests: [
    { id: "req_7", cost: 2, model: "Qwen/Qwen3-32B", started_at: "2026-11-21T11:59:48.000Z", duration_ms: 12_000 },
  ],
};
const dates = { start_date: "2026-11-19T00:00:00.000Z", end_date: "2026-11-21T12:00:00.000Z" };
const totals = {
  request_count: 80,
  input_tokens: 1000,
  output_tokens: 212,
  total_tokens: 1212,
  total_cost_nano_usd: "45200",
};
let keptSince: string | null = null;
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /usage/activity/report": ({ url }) => ({
    body: {
      ...dates,
      kept_since_date: keptSince,
      items: ROWS[new URLSearchParams(url.split("?")[1]).get("group_by") ?? ""] ?? [],
    },
  }),
  "GET /usage/concurrencies": () => ({ body: { ...units, kept_since_date: keptSince } }),
  "GET /account/concurrency": () => ({ body: live }),
  "GET /api-keys": () => ({ body: buildPage([{ id: "key_1", name: "production" }]) }),
  "GET /usage/activity/requests": () => ({ body: { ...buildPage([receipt], 80), totals, kept_since_date: keptSince } }),
  "GET /organization/members": () => ({
    body: { items: [{ user_id: "usr_2", email: "jonas@example.com", name: "Jonas", role: "viewer" }] },
  }),
  "GET /usage/requests/req_1": () => ({ body: receipt }),
  "GET /usage/requests/req_2": () => ({ body: { ...receipt, own_key: true, own_key_fee_percent: 5 } }),
  "GET /usage/requests/req_3": () => ({ body: { ...receipt, own_key: true } }),
  "GET /usage/requests/req_0": () => errorResponse(404, "usage.not_found", "There is no request req_0."),
});

test("feather usage shows people a row and a bar for every day, and the total", async () => {
  const { code, out } = await runInteractive("usage --last 3d");
  expect(code).toBe(0);
  expect(out.split("\n")).toEqual([
    "            REQUESTS  TOKENS  PEAK",
    "Thu 19 Nov     2,911    4.1M  ▰▰▱▱  █████",
    "Fri 20 Nov         0       0  ▱▱▱▱",
    "Sat 21 Nov     8,402   16.2M  ▰▰▰▰  ████████████████████",
    "3 days        11,313   20.3M  ▰▰▰▰  402 refused at the limit",
    "",
  ]);
});

test("feather usage prints exact values without total and bars in pipes, and CSV with a header", async () => {
  const { out, err } = await run("usage --last 3d");
  expect(out.split("\n")).toEqual([
    "2026-11-19\t2911\t1\t4049900\t100\t0.000045\t2\t0",
    "2026-11-20\t0\t0\t0\t0\t0.00\t0\t0",
    "2026-11-21\t8402\t1\t16199900\t100\t0.000045\t4\t402",
    "",
  ]);
  expect(err).toBe("");
  const csv = (await run("usage --last 3d --csv")).out;
  expect(csv.split("\r\n")[0]).toBe("day,requests,failed,input_tokens,output_tokens,cost_usd,peak,refused");
});

test.each([
  ["model", "Qwen/Qwen3-32B"],
  ["key", "production"],
  ["key", "without a key"],
  ["result", "completed"],
])("grouped by %s, a row starts with %s", async (by, name) => {
  expect((await runInteractive(`usage --by ${by}`)).out).toContain(`\n${name} `);
});

test.each([
  ["usage", "2026-11-15T00:00:00Z", "day", "day"],
  ["usage --last 24h", "2026-11-21T00:00:00Z", "day", "day"],
  ["usage --by hour", "2026-11-20T13:00:00Z", "hour", "hour"],
  ["usage --by model --last 6h", "2026-11-21T07:00:00Z", "model", "hour"],
])("%s requests whole buckets from %s on", async (line, start, group, bucket) => {
  await run(line);
  const queries = requests().map(({ url }) => Object.fromEntries(new URLSearchParams(url.split("?")[1])));
  const times = { start: String(Date.parse(start) / 1000), end: String(Date.parse("2026-11-21T12:00:00Z") / 1000) };
  expect(queries).toContainEqual({ ...times, group_by: group });
  expect(queries).toContainEqual({ ...times, bucket });
});

test("JSON is the API's report, or the chosen fields of each row", async () => {
  expect(JSON.parse((await run("usage --last 3d --json")).out)).toMatchObject({ ...dates, items: ROWS.day });
  const lines = JSON.parse((await run("usage --last 3d --json name,peak")).out);
  expect(lines[0]).toEqual({ name: "2026-11-19", peak: 2 });
});

test("feather usage says from when on requests are stored, and shows no units of days before, where the server has removed some", async () => {
  keptSince = "2026-11-20T00:00:00.000Z";
  const { out, err } = await run("usage --last 3d");
  expect(out.split("\n").slice(0, 2)).toEqual([
    "2026-11-19\t2911\t1\t4049900\t100\t0.000045\t\t",
    "2026-11-20\t0\t0\t0\t0\t0.00\t0\t0",
  ]);
  const said = "The server has removed requests from before 2026-11-20.";
  expect(err).toContain(said);
  expect((await run("usage requests --last 3d")).err).toContain(said);
  expect((await run("usage requests --last 1h")).err).not.toContain(said);
  expect(JSON.parse((await run("usage requests --all --json")).out)).toMatchObject({ kept_since_date: keptSince });
  keptSince = null;
});

test("--live shows the units in use and the requests that hold them", async () => {
  const { out, err } = await runInteractive("usage --live");
  expect(err).toContain("▰▰▱▱ 2 of 4 units in use");
  expect(out).toMatch(/Qwen\/Qwen3-32B +2 +12 s +req_7/);
  expect(JSON.parse((await run("usage --live --json")).out)).toEqual(live);
});

test("lists requests page by page", async () => {
  const { out, err } = await runInteractive("usage requests --last 1h");
  expect(out).toMatch(/2 minutes ago +Qwen\/Qwen3-32B +failed \(model_unavailable\) +1,212 +3\.4 s +req_1/);
  expect(err).toContain("1 of 80 requests.");
  expect(requests()[0]?.url).toContain(`start=${Date.parse("2026-11-21T11:00:00Z") / 1000}`);
  expect((await run("usage requests -q")).out).toBe("req_1\n");
  expect(JSON.parse((await run("usage requests --json id,status")).out)).toEqual([{ id: "req_1", status: 503 }]);
});

test.each([
  ["--key production", { api_key_id: "key_1" }],
  ["--key key_9", { api_key_id: "key_9" }],
  ["--key none", { api_key_id: "none" }],
  ["--member jonas@example.com", { user_id: "usr_2" }],
  ["--member usr_3", { user_id: "usr_3" }],
  ["--model Qwen/Qwen3-32B --result failed", { model: "Qwen/Qwen3-32B", outcome: "failed" }],
  ["--id req_4fJq --all", { id: "req_4fJq" }],
])("usage requests %s lists the requests that fit, and says what they cost", async (flags, expected) => {
  const { code, err } = await run(`usage requests ${flags}`);
  expect([code, err]).toEqual([0, expect.stringContaining("They cost $0.0000452 together.")]);
  const [listed] = requests().filter(({ url }) => url.includes("/usage/activity/requests"));
  const { page: _, perPage: __, ...filter } = Object.fromEntries(new URLSearchParams(listed?.url.split("?")[1]));
  expect(filter).toEqual(expected);
});

test("shows the receipt of one request", async () => {
  const { out } = await run("usage show req_1");
  expect(out).toContain("model\tQwen/Qwen3-32B, called as fast\n");
  expect(out).toContain("waited\t250 ms for its turn\ntook\t3,400 ms, first after 236 ms\n");
  expect(out).toContain("answered at\tgroq\nchosen\tby price\n");
  expect(out).toContain("cost\tin the plan\ntoday at This server\t$0.00\ntoday at Groq\t$0.0000452\n");
  expect(JSON.parse((await run("usage show req_1 --json")).out)).toEqual(receipt);
});

test.each([
  ["req_2", "paid at\tgroq, with the organization's own key; 5 % of the price here\n"],
  ["req_3", "paid at\tgroq, with the organization's own key\n"],
])("usage show %s says that the organization's own key paid", async (id, line) => {
  expect((await run(`usage show ${id}`)).out).toContain(line);
});

test.each([
  ["usage --by week", 2, "Allowed choices are"],
  ["usage --last soon", 2, "90s or 15m"],
  ["usage --by hour --last 60d", 2, "at most 31 days"],
  ["usage --live --by model", 2, "exclude each other"],
  ["usage --live --json peak", 2, "unknown field: peak"],
  ["usage requests --result done", 2, "Allowed choices are"],
  ["usage requests --key nowhere", 3, "there is no key called nowhere"],
  ["usage requests --member eve@example.com", 3, "eve@example.com is not a member"],
  ["usage nonsense", 2, "nonsense"],
  ["usage show", 2, "use the request's id: feather usage requests"],
  ["usage show req_0", 3, "There is no request req_0."],
])("%s exits with %i", async (line, exitCode, message) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([exitCode, ""]);
  expect(err).toContain(message);
});

test("the command needs a sign-in", async () => {
  expect((await runAnonymous("usage")).code).toBe(4);
});
