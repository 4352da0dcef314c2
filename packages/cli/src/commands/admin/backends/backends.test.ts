import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const KEY = {
  id: "bky_1",
  label: "team-a",
  weight: 1,
  last_characters: "wxyz",
  in_flight: 2,
  state: "refused",
  resumes_at: "2026-11-19T14:01:02.000Z",
  error: "It does not accept the key (status 401).",
  advice: "Make a new key there.",
};
const backend = {
  id: "backend_1",
  name: "gpu-1",
  base_url: "https://gpu-1.example/v1",
  models: ["a/b", "c/d"],
  configured_models: [],
  aliases: [{ name: "x/y=z", as: "x/y" }],
  unsized_models: ["c/d"],
  weight: 1,
  enabled: true,
  source: "admin",
  own_keys: "off",
  has_api_key: true,
  keys: [KEY],
  state: "cooling_down",
  resumes_at: "2026-11-19T14:01:02.000Z",
  in_flight: 3,
  last_error: "It took too long.",
  checked_at: null,
};
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /admin/backends": () => ({ body: { items: [backend] } }),
  "POST /admin/backends": ({ body }) =>
    JSON.stringify(body).includes("10.0.0.1")
      ? errorResponse(400, "outgoing.address_refused", "The address is not public.")
      : { status: 201, body: backend },
  "POST /admin/backends/backend_1/test": () => ({
    body: {
      ok: true,
      models: ["a/b", "c", "x/y/z", "A/b"],
      model_details: [
        { name: "a/b", id: "a/b", problem: null, parameter_size: 7e9 },
        { name: "c", id: "gpu-1/c", problem: null, parameter_size: null },
        { name: "x/y/z", id: null, problem: "not_an_id", parameter_size: null },
        { name: "A/b", id: null, problem: "same_id", parameter_size: null },
      ],
      problem: null,
      error: null,
      advice: null,
      call: { model: "a/b", duration_ms: 1200 },
      duration_ms: 1234,
    },
  }),
  "POST /admin/backends/backend_2/test": () => ({
    body: {
      ok: false,
      models: [],
      model_details: [],
      problem: "address",
      error: "connection refused",
      advice: "Check the port.",
      call: null,
      duration_ms: 5,
    },
  }),
  "POST /admin/backends/none/test": () => errorResponse(404, "backends.not_found", "There is no such backend."),
  "GET /admin/backends/backend_1": () => ({ body: backend }),
  "PUT /admin/backends/backend_1": () => ({ body: backend }),
  "DELETE /admin/backends/backend_1": () => ({ status: 204 }),
  "POST /admin/backends/backend_1/keys": () => ({ status: 201, body: { ...KEY, id: "bky_2", label: "key 2" } }),
  "PUT /admin/backends/backend_1/keys/bky_1": () => ({ body: { ...KEY, weight: 5 } }),
  "DELETE /admin/backends/backend_1/keys/bky_1": () => ({ status: 204 }),
  "DELETE /admin/backends/settings": () => errorResponse(409, "backends.not_editable", "It stands in the settings."),
});

test("lists backends with their health", async () => {
  expect((await runInteractive("admin backends list", { columns: 160 })).out).toMatch(
    /gpu-1 +cooling down +2 +1 +3 +admin +https:\/\/gpu-1\.example\/v1 +It took too long\. +backend_1\n/,
  );
  expect((await run("admin backends list")).out).toBe(
    "gpu-1\tcooling_down\ta/b,c/d\tc/d\t3\tadmin\thttps://gpu-1.example/v1\tIt took too long.\tbackend_1\n",
  );
  expect(JSON.parse((await run("admin backends list --json id,state")).out)).toEqual([
    { id: "backend_1", state: "cooling_down" },
  ]);
});

test("adds a backend with a key from stdin only", async () => {
  const line = "admin backends add gpu-1 https://gpu-1.example/v1 --models a/b,c/d --weight 2 --disabled --with-key";
  expect(await run(line, { stdin: "secret\n" })).toEqual({ code: 0, out: "backend_1\n", err: "Added gpu-1.\n" });
  expect(requests()[0]?.body).toEqual({
    name: "gpu-1",
    base_url: "https://gpu-1.example/v1",
    models: ["a/b", "c/d"],
    weight: 2,
    enabled: false,
    api_key: "secret",
  });
});

test("adds a backend that speaks another API, and changes the API of one", async () => {
  await run("admin backends add aws https://bedrock.example --api bedrock");
  expect(requests()[0]?.body).toEqual({ name: "aws", base_url: "https://bedrock.example", api: "bedrock" });
  await run("admin backends update backend_1 --api gemini");
  expect(requests().find(({ method }) => method === "PUT")?.body).toMatchObject({ api: "gemini" });
  expect((await run("admin backends add aws https://bedrock.example --api other")).code).toBe(2);
});

test("adds a backend with aliases of its models", async () => {
  await run(`admin backends add gpu-1 https://gpu-1.example/v1 --alias a=c=x/y --alias p/q/r=p/r`);
  expect(requests()[0]?.body).toMatchObject({
    aliases: [
      { name: "a=c", as: "x/y" },
      { name: "p/q/r", as: "p/r" },
    ],
  });
});

test.each([
  ["--weight 3", { weight: 3 }],
  ["--models all", { models: [] }],
  ["--models a/b,c", { models: ["a/b", "c"] }],
  ["--disable", { enabled: false }],
  ["--own-keys required", { own_keys: "required" }],
  ["--enable", { enabled: true }],
  ["--name gpu-3 --url https://gpu-3.example/v1", { name: "gpu-3", base_url: "https://gpu-3.example/v1" }],
  [
    "--alias p/q/r=p/r",
    {
      aliases: [
        { name: "x/y=z", as: "x/y" },
        { name: "p/q/r", as: "p/r" },
      ],
    },
  ],
  ["--alias x/y=z=p/r", { aliases: [{ name: "x/y=z", as: "p/r" }] }],
  ["--remove-alias x/y=z", { aliases: [] }],
])("admin backends update with %s changes nothing else", async (flags, changes) => {
  expect(await run(`admin backends update backend_1 ${flags}`)).toMatchObject({ code: 0, err: "Changed gpu-1.\n" });
  expect(requests().find(({ method }) => method === "PUT")?.body).toEqual({
    name: "gpu-1",
    base_url: "https://gpu-1.example/v1",
    ...changes,
  });
});

test("the test of a backend names models of unknown size, and those that need an alias", async () => {
  const { out } = await run("admin backends test backend_1");
  expect(out.split("\n").slice(2, -1)).toEqual([
    "called\ta/b (1,200 ms)",
    "model\ta/b",
    "model\tc (called gpu-1/c, size unknown)",
    "model\tx/y/z (cannot be called: the name cannot be an id (owner/name); give it an alias)",
    "model\tA/b (cannot be called: another of its models has this id; give it an alias)",
  ]);
});

test("a failed test of a backend exits with 5, the reason, and what to do", async () => {
  expect(await run("admin backends test backend_1")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^answers\tyes\ntook\t1,234 ms\n/),
  });
  const { code, out, err } = await run("admin backends test backend_2");
  expect([code, out]).toEqual([5, "answers\tno: connection refused\ntook\t5 ms\n"]);
  expect(err).toContain("backend_2 does not answer");
  expect(err).toContain("Check the port.");
  expect(JSON.parse((await run("admin backends test backend_2 --json")).out)).toMatchObject({ ok: false });
});

test("the test of a backend calls the model that is named", async () => {
  await run("admin backends test backend_1 --model c");
  expect(requests().at(-1)?.body).toEqual({ model: "c" });
});

test("removes a backend", async () => {
  expect((await run("admin backends remove backend_1 --yes")).err).toBe("Removed backend_1.\n");
});

test.each([
  ["admin backends add x http://10.0.0.1/v1", 2, "not public"],
  ["admin backends remove settings --yes", 6, "It stands in the settings."],
  ["admin backends update backend_1 --remove-alias none", 2, "none has no alias"],
  ["admin backends test none", 3, "There is no such backend."],
])("%s exits with %i", async (line, exitCode, message) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([exitCode, ""]);
  expect(err).toContain(message);
});

test.each([
  ["admin backends add x nowhere", "nowhere is no address"],
  ["admin backends add x https://a.example --with-key", "no key on stdin"],
  ["admin backends add x https://a.example --weight heavy", "between 1 and 1000"],
  ["admin backends add x https://a.example --weight 1.5", "a whole number"],
  ["admin backends add x https://a.example --alias tiny", "its/name/there=owner/name"],
  ["admin backends add x https://a.example --alias =a/b", "its/name/there=owner/name"],
  ["admin backends update backend_1", "nothing to change"],
  ["admin backends update backend_1 --enable --disable", "exclude each other"],
  ["admin backends update backend_1 --url nowhere", "nowhere is no address"],
  ["admin backends remove backend_1", "--yes"],
])("%s is rejected before any request is sent", async (line, message) => {
  const { code, err } = await run(line);
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(requests()).toEqual([]);
});

test("the command needs a sign-in", async () => {
  expect((await runAnonymous("admin backends list")).code).toBe(4);
});

test("lists the keys of a backend, and says why one rests and what to do", async () => {
  const shown = await runInteractive("admin backends keys list backend_1", { columns: 160 });
  expect(shown.out).toMatch(/team-a +…wxyz +refused +19 Nov 2026, 14:01 UTC +1 +2 +bky_1\n/);
  expect(shown.err).toContain("team-a: It does not accept the key (status 401). Make a new key there.");
});

test("adds a key to a backend from stdin only", async () => {
  const line = "admin backends keys add backend_1 --weight 3 --with-key";
  expect(await run(line, { stdin: "secret\n" })).toEqual({ code: 0, out: "bky_2\n", err: "Added key 2.\n" });
  expect(requests()[0]?.body).toEqual({ key: "secret", weight: 3 });
});

test("changes the weight of a key of a backend", async () => {
  expect((await run("admin backends keys update backend_1 team-a --weight 5")).err).toContain("Changed team-a.");
  const sent = requests().at(-1);
  expect(sent).toMatchObject({ method: "PUT", path: "/admin/backends/backend_1/keys/bky_1", body: { weight: 5 } });
  expect((await run("admin backends keys update backend_1 team-a")).code).toBe(2);
});

test("removes a key of a backend by its label, after asking", async () => {
  expect((await run("admin backends keys remove backend_1 team-a --yes")).err).toContain("Removed team-a.");
  expect(requests().at(-1)).toMatchObject({ method: "DELETE", path: "/admin/backends/backend_1/keys/bky_1" });
  expect((await run("admin backends keys remove backend_1 none --yes")).code).toBe(3);
});
