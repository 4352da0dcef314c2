import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const privateModel = (fields: object = {}) => ({
  id: "acme/bot-8b",
  name: "bot",
  revision: "main",
  state: "downloading",
  progress: 0.62,
  error: null,
  runtime: "llama.cpp",
  model_class: "qwen3-8b",
  created_at: "2026-11-21T11:58:00.000Z",
  updated_at: "2026-11-21T11:59:00.000Z",
  ...fields,
});
const compatibility = {
  compatible: false,
  checks: [
    { id: "full_weights", label: "Full weights", ok: true, detail: "All files are there." },
    { id: "dtype", label: "Number format", ok: false, detail: "int3 \u001b[2Jis not read." },
  ],
  detected: { architecture: "Qwen3ForCausalLM", parameter_size: 8_190_735_360, format: "safetensors", dtype: null },
  model_class: null,
};
const BASE = "/feather/private-models";
const BOT = `${BASE}/acme%2Fbot-8b`;

/** How the model stands the next times it is looked at; the last one stays. */
let states: object[] = [];
const { run, runInteractive, runAnonymous, requests } = setupCli({
  [`GET ${BASE}`]: () => ({ body: { items: [privateModel()] } }),
  [`GET ${BOT}`]: () => ({ body: privateModel(states.length > 1 ? states.shift() : states[0]) }),
  [`POST ${BOT}`]: () => ({ status: 202, body: privateModel({ state: "queued", progress: 0 }) }),
  [`POST ${BOT}/unload`]: () => ({ body: privateModel({ state: "unloaded", progress: null }) }),
  [`GET ${BOT}/compatibility`]: () => ({ body: compatibility }),
  [`DELETE ${BOT}`]: () => ({ status: 204 }),
  [`GET ${BASE}/no%2Fwhere`]: () => errorResponse(404, "private_models.not_found", "There is no such model."),
  [`DELETE ${BASE}/acme%2Fused`]: () => errorResponse(409, "private_models.deployed", "A deployment runs acme/used."),
});
const writes = () => requests().filter(({ method }) => method !== "GET");

test.each([
  ["private-models list", /^acme\/bot-8b +downloading 62 % +main +qwen3-8b +2 minutes ago$/m],
  ["private-models show acme/bot-8b", /^state +downloading 62 %$/m],
  ["private-models compatibility acme/bot-8b", /^fails +Number format: int3 \\x1b\[2Jis not read\.$/m],
])("%s is readable for people", async (line, row) => {
  states = [{}];
  const { code, out } = await runInteractive(line);
  expect(code).toBe(0);
  expect(out).toMatch(row);
});

test.each([
  ["vllm", /^runs with +vLLM$/m],
  [null, /^runs with +nothing yet$/m],
])("private-models show says of a model with the runtime %s what runs it", async (runtime, row) => {
  states = [{ runtime }];
  expect((await runInteractive("private-models show acme/bot-8b")).out).toMatch(row);
});

test.each([
  ["private-models list", "acme/bot-8b\tdownloading\tmain\tqwen3-8b\t2026-11-21T11:58:00.000Z\n"],
  ["private-models list --json id,state", '[{"id":"acme/bot-8b","state":"downloading"}]\n'],
  ["private-models list -q", "acme/bot-8b\n"],
  ["private-models show acme/bot-8b --jq .progress", "0.62\n"],
  ["private-models compatibility acme/bot-8b --json compatible", '{"compatible":false}\n'],
  ["private-models unload acme/bot-8b --json state", '{"state":"unloaded"}\n'],
])("%s prints exact values in a pipe", async (line, text) => {
  states = [{}];
  expect(await run(line)).toMatchObject({ code: 0, out: text, err: "" });
});

test.each([
  ["private-models add acme/bot-8b", "POST", {}, "acme/bot-8b\n", "Adding acme/bot-8b"],
  [
    "private-models add acme/bot-8b --revision v2 --name bot --with-token",
    "POST",
    { revision: "v2", name: "bot", hf_token: "hf_1" },
    "acme/bot-8b\n",
    "It is queued",
  ],
  ["private-models unload acme/bot-8b", "POST", undefined, "acme/bot-8b\n", "is unloaded"],
  ["private-models delete acme/bot-8b --yes", "DELETE", undefined, "", "Deleted acme/bot-8b"],
])("%s sends its request", async (line, method, body, printed, message) => {
  const { code, out, err } = await run(line, { stdin: "hf_1\n" });
  expect([code, out]).toEqual([0, printed]);
  expect(err).toContain(message);
  expect(writes()).toMatchObject([{ method }]);
  expect(writes()[0]?.body).toEqual(body);
});

test("compatibility sends the token of the hub", async () => {
  await run("private-models compatibility acme/bot-8b --with-token", { stdin: "hf_1" });
  expect(requests()[0]?.headers["x-hub-token"]).toBe("hf_1");
});

test.each([
  ["ready", [{}, { state: "loading" }, { state: "ready" }], "--wait", 0, "is ready"],
  ["unloaded", [{}, { state: "unloaded" }], "--wait", 0, "is unloaded; the next call is answered"],
  ["failed", [{ state: "failed", error: "No memory." }], "--wait", 5, "No memory."],
  ["after the timeout", [{}], "--timeout 0s", 8, "the work goes on"],
])("a model that ends %s ends the wait", async (_, next, flags, expected, message) => {
  states = next;
  const { code, err } = await run(`private-models add acme/bot-8b ${flags}`);
  expect(code).toBe(expected);
  expect(err).toContain(message);
});

test.each([
  ["private-models show no/where", 3, "There is no such model."],
  ["private-models delete acme/used --yes", 6, "A deployment runs acme/used."],
  ["private-models delete acme/bot-8b", 2, "--yes"],
  ["private-models add acme/bot-8b --with-token", 2, "no token came on stdin"],
  ["private-models list --json nope", 2, "unknown field"],
  ["private-models show", 2, "use the model's id: feather private-models list"],
])("%s exits with %i and says why", async (line, expected, message) => {
  const { code, err } = await run(line);
  expect(code).toBe(expected);
  expect(err).toContain(message);
});

test("every command needs a sign-in", async () => {
  expect((await runAnonymous("private-models list")).code).toBe(4);
});
