import { buildModel, buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const one = { ...buildModel(), status: "active", disabled: true, plan_ids: null, source: "hub", request_count: 4210 };
const PATH = "/admin/models/Qwen%2FQwen3-32B";
const place = (fields: object = {}) => ({
  backend: "rack-7",
  hosted: "here",
  state: "ended",
  obstacle: null,
  note: null,
  started_at: "2026-11-21T10:00:00Z",
  finished_at: "2026-11-21T10:00:20Z",
  results: [],
  ...fields,
});
const TOOLS = {
  ability: "tools",
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
  checked_at: "2026-11-21T10:00:00Z",
};
/** The states in which the model is found one after the other. */
let probeStates: object[] = [];
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /admin/models": () => ({ body: buildPage([one], 139) }),
  "POST /admin/models": ({ body }) =>
    JSON.stringify(body).includes("acme/both")
      ? errorResponse(409, "models.class_ambiguous", "It may be of class a or b.")
      : { status: 201, body: { ...one, ...(body as object) } },
  [`PUT ${PATH}`]: () => ({ body: one }),
  [`DELETE ${PATH}`]: () => ({ status: 204 }),
  [`POST ${PATH}/redeploy`]: () => ({ status: 202, body: { id: "Qwen/Qwen3-32B", status: "pending_deploy" } }),
  [`POST ${PATH}/probes`]: () => ({
    status: 202,
    body: { items: [place({ state: "waiting", obstacle: "The model is not loaded there." })] },
  }),
  [`GET ${PATH}/probes`]: () => ({ body: { items: [place(probeStates.shift())] } }),
  "PUT /admin/models/acme%2Fnone": () => errorResponse(404, "model_not_found", "There is no such model."),
  "DELETE /admin/models/acme%2Fbusy": () => errorResponse(409, "models.in_use", "A backend runs it."),
});

test("lists models, including those hidden from users", async () => {
  const { out, err } = await runInteractive("admin models list --state active --search qwen");
  expect(out).toMatch(/Qwen\/Qwen3-32B +33B +qwen3-32b +active +no +4,210\n/);
  expect(err).toContain("1 of 139 models.");
  expect(requests()[0]?.url).toContain("search=qwen&status=active");
  expect((await run("admin models list")).out).toBe("Qwen/Qwen3-32B\t32762123264\tqwen3-32b\tactive\tno\t4210\n");
  expect(JSON.parse((await run("admin models list --json id,disabled")).out)).toEqual([
    { id: "Qwen/Qwen3-32B", disabled: true },
  ]);
});

test("adds a model with the properties of its flags", async () => {
  const flags = "--class qwen3-32b --context 32768 --tags chat,code --takes text,image --disable";
  const { out, err } = await run(`admin models create acme/writer ${flags}`);
  expect([out, err]).toEqual(["acme/writer\n", "Added acme/writer, of class qwen3-32b.\n"]);
  expect(requests()[0]?.body).toEqual({
    id: "acme/writer",
    model_class: "qwen3-32b",
    context_length: 32_768,
    tags: ["chat", "code"],
    input_modalities: ["text", "image"],
    disabled: true,
  });
});

test.each([
  ["--enable --plans pro,max", { disabled: false, plan_ids: ["pro", "max"] }],
  ["--plans any", { plan_ids: null }],
  ["--sub-type instruct --parameters 7000000000", { sub_type: "instruct", parameter_size: 7_000_000_000 }],
])("admin models update %s changes only that", async (flags, body) => {
  expect((await run(`admin models update Qwen/Qwen3-32B ${flags}`)).out).toBe("Qwen/Qwen3-32B\n");
  expect(requests().map(({ body }) => body)).toEqual([body]);
});

test("redeploys and deletes a model only after confirmation", async () => {
  expect((await run("admin models redeploy Qwen/Qwen3-32B --yes --json status")).out).toBe(
    '{"status":"pending_deploy"}\n',
  );
  expect((await run("admin models delete Qwen/Qwen3-32B --yes")).err).toBe("Deleted Qwen/Qwen3-32B.\n");
  expect(requests()).toHaveLength(2);
});

test.each([
  ["admin models create acme/both", 6, "class a or b"],
  ["admin models delete acme/busy --yes", 6, "A backend runs it."],
  ["admin models update acme/none --disable", 3, "There is no such model."],
])("%s exits with %i", async (line, exitCode, message) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([exitCode, ""]);
  expect(err).toContain(message);
});

test.each([
  ["admin models update Qwen/Qwen3-32B", "nothing to change"],
  ["admin models update Qwen/Qwen3-32B --disable --enable", "exclude each other"],
  ["admin models create a/b --takes smell", "It takes text, image"],
  ["admin models delete Qwen/Qwen3-32B", "--yes"],
  ["admin models redeploy Qwen/Qwen3-32B", "--yes"],
])("%s is rejected before any request is sent", async (line, message) => {
  const { code, err } = await run(line);
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(requests()).toEqual([]);
});

test("admin models probe prints what is known, and with --wait what the model has shown", async () => {
  const first = await runInteractive("admin models probe Qwen/Qwen3-32B");
  expect(first.out).toMatch(/^rack-7 +here +waiting .*The model is not loaded there\.$/m);
  probeStates = [
    { state: "waiting" },
    { state: "running" },
    { results: [TOOLS, { ...TOOLS, ability: "vision", result: "no" }] },
  ];
  const { code, out, err } = await runInteractive("admin models probe Qwen/Qwen3-32B --wait");
  expect(code).toBe(0);
  expect(out).toMatch(/^rack-7 +here +ended .*tools, no pictures$/m);
  expect(err).toContain("asking");
  expect(requests().filter(({ method }) => method === "POST")).toHaveLength(2); // one for each command
});

test("the command needs a sign-in", async () => {
  expect((await runAnonymous("admin models list")).code).toBe(4);
});

test("reads a token of the hub from stdin only", async () => {
  expect((await run("admin models create acme/writer --with-token", { stdin: "hf_secret\n" })).code).toBe(0);
  expect(requests()[0]?.body).toEqual({ id: "acme/writer", access_token: "hf_secret" });
  expect((await run("admin models create acme/writer --with-token")).code).toBe(2);
  expect((await run("admin models create acme/writer --access-token hf_secret")).code).toBe(2);
});
