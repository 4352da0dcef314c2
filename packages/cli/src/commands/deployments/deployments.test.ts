import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { buildModel, buildPage, buildUser } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import type { StubResponse } from "@feather/testing/stub";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";
import { MANIFEST_SCHEMA } from "./schema.generated.ts";

const deployment = (fields: object = {}) => ({
  id: "dep_1",
  organization_id: "org_1",
  name: "support-bot",
  provider_id: "local",
  region: "here",
  instance_type: "cpu",
  model_id: "feather/demo",
  revision: null,
  min_replicas: 1,
  max_replicas: 1,
  scale_to_zero_after_s: 3600,
  autoscale: { metric: "pending_requests", target: 4 },
  engine_args: { context: 4096 },
  visibility: "private",
  state: "running",
  state_reason: null,
  ready_replicas: 1,
  desired_replicas: 1,
  settings_version: 1,
  observed_settings_version: 1,
  url: "http://feather/deployments/dep_1/v1",
  created_by: null,
  created_at: "2026-11-21T11:00:00.000Z",
  updated_at: "2026-11-21T11:58:00.000Z",
  ...fields,
});
const other = deployment({ id: "dep_2", name: "old-bot", state: "failed", state_reason: "No \u001b[2Jmemory" });
const line = (minute: string, text: string) => ({ logged_at: `2026-11-21T11:${minute}:00.000Z`, replica: "r1", text });
const BASE = "/feather/private-cloud/deployments";

/** Where deployments can run. */
const PROVIDERS: object[] = [
  {
    id: "local",
    name: "This machine",
    regions: [{ id: "here", name: "Here" }],
    instance_types: [{ id: "cpu", gpu: null, gpu_count: 0, vram_gb: 0, nodes: 1, hourly_nano_usd: "0" }],
    available: true,
    reason: null,
  },
  {
    id: "cloud",
    name: "Cloud",
    regions: [{ id: "eu-west", name: "Europe" }],
    instance_types: [{ id: "l40s", gpu: "L40S", gpu_count: 2, vram_gb: 96, nodes: 2, hourly_nano_usd: "1500000000" }],
    available: false,
    reason: "Not configured.",
  },
];
let known = PROVIDERS;
beforeEach(() => {
  known = PROVIDERS;
});
/** How the deployment stands the next times it is looked at; the last one stays. */
let states: object[] = [];
/** The deployments that run. */
let listed = () => [deployment(), other];
let caller: () => StubResponse = () => ({ body: buildUser({ plan: { private_cloud: true } }) });
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /auth/me": () => caller(),
  "GET /feather/models": () => ({ body: buildPage([buildModel({ id: "feather/demo" })]) }),
  "GET /feather/models/feather%2Fdemo": () => ({ body: buildModel({ id: "feather/demo" }) }),
  "GET /feather/models/feather%2Fdmeo": () => errorResponse(404, "model_not_found", "There is no model feather/dmeo."),
  [`GET ${BASE}`]: () => ({ body: buildPage(listed()) }),
  [`POST ${BASE}`]: ({ body }) => ({
    status: 202,
    body: deployment({ ...(body as object), id: "dep_9", token: "dpt_x" }),
  }),
  [`GET ${BASE}/dep_1`]: () => ({ body: deployment(states.length > 1 ? states.shift() : states[0]) }),
  [`GET ${BASE}/dep_9`]: () => ({ body: deployment({ id: "dep_9", name: "new-bot" }) }),
  [`GET ${BASE}/nobody-else`]: () => errorResponse(404, "deployments.not_found", "There is no such deployment."),
  [`GET ${BASE}/suport-bot`]: () => errorResponse(404, "deployments.not_found", "There is no such deployment."),
  [`GET ${BASE}/dep_0`]: () => errorResponse(404, "deployments.not_found", "There is no such deployment."),
  [`PUT ${BASE}/dep_1`]: ({ body }) => ({ body: deployment(body as object) }),
  [`DELETE ${BASE}/dep_1`]: () => ({ status: 204 }),
  [`DELETE ${BASE}/dep_2`]: () => ({ status: 204 }),
  [`POST ${BASE}/dep_1/pause`]: () => ({ body: deployment({ state: "paused" }) }),
  [`POST ${BASE}/dep_1/resume`]: () => ({ body: deployment({ state: "initializing" }) }),
  [`POST ${BASE}/dep_1/token`]: () => ({ body: { token: "dpt_new" } }),
  [`GET ${BASE}/dep_1/metrics`]: () => ({
    body: {
      items: [
        { bucket_at: "2026-11-21T11:00:00Z", requests: 1200, errors: 3, p50_ttft_ms: 240, tokens_per_s: 41.5 },
        { bucket_at: "2026-11-21T11:05:00Z", requests: 1, errors: 1, p50_ttft_ms: null, tokens_per_s: null },
      ],
    },
  }),
  [`GET ${BASE}/dep_1/logs`]: ({ headers }) => {
    const lines = [line("10", "old"), line("58", "new \u001b[2J")];
    if (!headers.accept?.includes("text/event-stream")) return { body: { lines } };
    const body = lines.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");
    return { headers: { "content-type": "text/event-stream" }, body };
  },
  "GET /feather/private-cloud/deployment-providers": () => ({ body: { items: known } }),
});
const writes = () => requests().filter(({ method }) => method !== "GET");
const apply = (text: string, flags = "--yes") => run(`deployments apply -f - ${flags}`.trim(), { stdin: text });

/** Files with these texts, which go with the test. */
function written(...texts: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "feather-manifests-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return texts.map((text, index) => {
    const path = join(folder, `${index + 1}.yaml`);
    writeFileSync(path, text);
    return path;
  });
}

const MANIFEST = `name: support-bot
provider_id: local
region: here
instance_type: cpu
model_id: feather/demo
`;

/** Returns the manifest of a deployment that does not exist yet. */
const createManifest = (model: string, provider = "local", region = "here", instanceType = "cpu") =>
  `name: new-bot\nprovider_id: ${provider}\nregion: ${region}\ninstance_type: ${instanceType}\nmodel_id: ${model}\n`;

describe("reading deployments", () => {
  test("a narrow terminal shows whole names, and ids only where they fit", async () => {
    const long = "support-bot-of-the-second-team";
    listed = () => [deployment({ name: long, id: `dep_${"x".repeat(26)}` })];
    onTestFinished(() => {
      listed = () => [deployment(), other];
    });
    const { out } = await runInteractive("deployments list", { columns: 60 });
    expect(out).toContain(long);
    expect(out).not.toContain("dep_");
    for (const row of out.split("\n")) expect(row.length).toBeLessThanOrEqual(60);
  });

  test("deployments list prints a table for people, with escaped text", async () => {
    const { code, out } = await runInteractive("deployments list");
    expect(code).toBe(0);
    expect(out).toMatch(/^support-bot +running, 1 of 1 replica +feather\/demo/m);
    expect(out).toContain("failed, 1 of 1 replica: No \\x1b[2Jmemory");
  });

  test.each([
    ["deployments list", "support-bot\trunning\tfeather/demo\t1\tlocal, cpu\tdep_1\n"],
    ["deployments list -q", "dep_1\ndep_2\n"],
    ["deployments show support-bot --json name,state", '{"name":"support-bot","state":"running"}\n'],
    ["deployments show dep_1", "model\tfeather/demo\n"],
    ["deployments providers", "cloud\tl40s\t2 x L40S on 2 nodes\t96 GB\t1.50\teu-west\tNot configured.\n"],
    ["deployments providers --json instance_type,regions", '{"instance_type":"l40s","regions":["eu-west"]}]\n'],
    ["deployments open support-bot --print", "/account/private-cloud/deployments/dep_1\n"],
    ["deployments logs support-bot", "2026-11-21T11:10:00.000Z\tr1\told\n"],
    ["deployments logs support-bot --json", '"text":"old"'],
  ])("%s prints %j in a pipe", async (line, text) => {
    states = [{}];
    const { code, out, err } = await run(line);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(text);
  });

  test.each(["", " --follow"])("logs%s with --since omit earlier lines", async (flag) => {
    states = [{ state: "deleting" }];
    const { out } = await run(`deployments logs dep_1 --since 5m${flag}`);
    expect(out).toBe("2026-11-21T11:58:00.000Z\tr1\tnew \\x1b[2J\n");
  });

  test("the schema lists the required fields of a manifest", async () => {
    expect(JSON.parse((await run("deployments schema")).out)).toMatchObject({
      required: expect.arrayContaining(["name", "model_id"]),
      additionalProperties: false,
    });
  });

  test.each([
    ["deployments show nobody-else", 3, "There is no such deployment."],
    ["deployments show suport-bot", 3, "support-bot"],
    ["deployments show dep_0", 3, "There is no such deployment."],
    ["deployments list --json nmae", 2, "unknown field"],
    ["deployments logs dep_1 --since yesterday", 2, "is not a time"],
    ["deployments scale dep_1 2..1", 2, "is not a number of replicas"],
    ["deployments create bot", 2, "a model is missing"],
    ["deployments create -m feather/demo", 2, "a name is missing"],
    ["deployments create Bot! -m feather/demo", 2, "3 to 40 small letters, digits and hyphens"],
    ["deployments create bot -f x.yaml", 2, "exclude each other"],
    ["deployments create bot -m feather/demo --sleep 5", 2, "from 60 on"],
    ["deployments create bot -m feather/demo --engine-arg x", 2, "is not a name and a value"],
    ["deployments delete dep_1", 2, "--yes"],
    ["deployments apply", 2, "no file was given"],
    ["deployments apply -f /nowhere.yaml", 2, "there is no such file"],
    ["deployments apply -f .", 2, ". cannot be read (it is a folder)"],
    ["deployments show", 2, "the deployment's name or id: feather deployments list"],
    ["deployments delete --yes", 2, "the deployment's name or id: feather deployments list"],
    ["models show", 2, "the model's id: feather models list"],
  ])("%s exits with %i, says why, and changes nothing", async (line, expected, message) => {
    const { code, err } = await run(line);
    expect(code).toBe(expected);
    expect(err).toContain(message);
    expect(writes()).toEqual([]);
  });

  test("every command needs a sign-in", async () => {
    expect((await runAnonymous("deployments list")).code).toBe(4);
  });
});

describe("deployments metrics", () => {
  test("deployments metrics prints a table for people", async () => {
    const { out } = await runInteractive("deployments metrics support-bot");
    expect(out.split("\n").map((line) => line.replace(/ +/g, " ").trim())).toEqual([
      "FROM REQUESTS ERRORS FIRST TOKEN TOKENS/S",
      expect.stringMatching(/ 1,200 3 240 ms 41\.5$/),
      expect.stringMatching(/ 1 1$/),
      "",
    ]);
  });

  test("deployments metrics prints exact values in a pipe, and the server's response with --json", async () => {
    expect((await run("deployments metrics dep_1")).out).toBe(
      "2026-11-21T11:00:00.000Z\t1200\t3\t240\t41.5\n2026-11-21T11:05:00.000Z\t1\t1\t\t\n",
    );
    const { out } = await run("deployments metrics dep_1 --json requests,errors");
    expect(JSON.parse(out)).toEqual([
      { requests: 1200, errors: 3 },
      { requests: 1, errors: 1 },
    ]);
  });

  test("deployments metrics asks for the last day, or the time of --last", async () => {
    await run("deployments metrics dep_1");
    await run("deployments metrics dep_1 --last 2h");
    const spans = requests().map(({ query }) => Number(query.get("end")) - Number(query.get("start")));
    expect(spans).toEqual([86_400, 7_200]);
    expect((await run("deployments metrics dep_1 --last 0s")).code).toBe(2);
  });
});

describe("deployments restart", () => {
  test("deployments restart pauses, waits until no replica is left, and resumes", async () => {
    const paused = { state: "paused", settings_version: 1 };
    states = [{}, { ...paused, ready_replicas: 1 }, { ...paused, ready_replicas: 0 }];
    const { code, out, err } = await run("deployments restart support-bot");
    expect([code, out]).toEqual([0, "dep_1\n"]);
    expect(err).toContain("stopping");
    expect(err).toContain("support-bot is started again.");
    expect(writes().map(({ path }) => path.split("/").at(-1))).toEqual(["pause", "resume"]);
    expect(requests().at(-1)?.method).toBe("POST");
  });

  test("deployments restart waits with --wait until it serves", async () => {
    states = [{}, { state: "paused", ready_replicas: 0 }, { state: "initializing" }, { state: "running" }];
    const { code, err } = await run("deployments restart dep_1 --wait");
    expect([code, err]).toEqual([0, expect.stringContaining("is ready after")]);
  });

  test("deployments restart says how to start what did not stop in time, and leaves it paused", async () => {
    states = [{}, { state: "paused", ready_replicas: 1 }];
    const { code, err } = await run("deployments restart dep_1 --timeout 0s");
    expect([code, err]).toEqual([8, expect.stringContaining("feather deployments resume support-bot")]);
    expect(writes()).toHaveLength(1);
  });

  test("deployments restart refuses a paused deployment, with the command that starts it", async () => {
    states = [{ state: "paused" }];
    const { code, err } = await run("deployments restart dep_1");
    expect([code, err]).toEqual([2, expect.stringContaining("feather deployments resume support-bot")]);
    expect(writes()).toEqual([]);
  });
});

describe("where a deployment runs that does not say so", () => {
  const providers = (...items: object[]) => items;
  const provider = (id: string, regions: string[], types: string[], available = true) => ({
    id,
    name: id,
    available,
    reason: null,
    regions: regions.map((region) => ({ id: region, name: region })),
    instance_types: types.map((type) => ({
      id: type,
      gpu: null,
      gpu_count: 0,
      vram_gb: 0,
      nodes: 1,
      hourly_nano_usd: "0",
    })),
  });
  const LOCAL = provider("local", ["here"], ["cpu"]);
  const bare = "name: new-bot\nmodel_id: feather/demo\n";

  test.each([
    ["the only provider", providers(provider("cluster", ["eu"], ["a100"])), ["cluster", "eu", "a100"]],
    ["the only available provider", providers(provider("off", ["x"], ["y"], false), LOCAL), ["local", "here", "cpu"]],
    ["this machine among several", providers(provider("cluster", ["eu"], ["a100"]), LOCAL), ["local", "here", "cpu"]],
    ["the usual type among several", providers(provider("local", ["here"], ["gpu", "cpu"])), ["local", "here", "cpu"]],
  ])(
    "the place of a deployment that does not say where it runs is %s, for a file and for flags",
    async (_, items, place) => {
      known = items;
      expect((await apply(bare)).code).toBe(0);
      expect((await run("deployments create new-bot -m feather/demo")).code).toBe(0);
      for (const { body } of writes()) {
        const { provider_id, region, instance_type } = body as Record<string, string>;
        expect([provider_id, region, instance_type]).toEqual(place);
      }
      expect(writes()).toHaveLength(2);
    },
  );

  test("the place of a deployment that does not say where it runs is asked for where there are several others, with the choices", async () => {
    known = providers(provider("cluster", ["eu", "us"], ["a100"]));
    const { code, err } = await apply(bare);
    expect([code, writes()]).toEqual([2, []]);
    expect(err).toContain("region of new-bot is missing");
    expect(err).toContain("one of eu, us; feather deployments providers");
  });

  test("the place of a deployment that does not say where it runs stays where it is for one that exists, without a look at providers", async () => {
    const { code } = await apply("name: support-bot\nmodel_id: feather/demo\nmax_replicas: 2\n");
    expect(code).toBe(0);
    expect(writes().map(({ body }) => body)).toEqual([{ max_replicas: 2 }]);
    expect(requests().some(({ path }) => path.endsWith("deployment-providers"))).toBe(false);
  });
});

describe("changing a deployment", () => {
  test.each([
    ["deployments scale support-bot 0..2", "PUT", { min_replicas: 0, max_replicas: 2 }, "dep_1\n"],
    ["deployments pause support-bot", "POST", undefined, "dep_1\n"],
    ["deployments resume support-bot", "POST", undefined, "dep_1\n"],
    ["deployments token support-bot --yes", "POST", undefined, "dpt_new\n"],
    ["deployments delete support-bot --yes", "DELETE", undefined, ""],
    [
      "deployments create new-bot -m feather/demo --replicas 0..2 --sleep never --engine-arg context=4096 --public",
      "POST",
      {
        name: "new-bot",
        model_id: "feather/demo",
        provider_id: "local",
        region: "here",
        instance_type: "cpu",
        min_replicas: 0,
        max_replicas: 2,
        scale_to_zero_after_s: null,
        engine_args: { context: 4096 },
        visibility: "public",
      },
      "dpt_x\n",
    ],
  ])("%s sends its request", async (line, method, body, printed) => {
    const { code, out } = await run(line);
    expect([code, out]).toEqual([0, printed]);
    expect(writes()).toMatchObject([{ method }]);
    expect(writes()[0]?.body).toEqual(body);
  });

  test.each([
    ["well", [{ state: "initializing" }, { state: "running" }], 0, "is ready after"],
    ["asleep", [{ state: "scaled_to_zero", desired_replicas: 0 }], 0, "is ready after"],
    ["badly", [{ state: "failed", state_reason: "No memory." }], 5, "ended as failed: No memory."],
    ["badly, with what shows why", [{ state: "failed" }], 5, "feather deployments logs support-bot"],
    [
      "as paused, with what goes on",
      [{ state: "paused", desired_replicas: 0 }],
      5,
      "feather deployments resume support-bot",
    ],
    ["as deleted, with what is left", [{ state: "deleting" }], 5, "feather deployments list"],
  ])("the exit code of a wait that ends %s", async (_, next, expected, message) => {
    states = next;
    const { code, err } = await run("deployments wait support-bot");
    expect(code).toBe(expected);
    expect(err).toContain(message);
  });

  test("--wait waits until all replicas run with the new settings", async () => {
    const before = { settings_version: 2, observed_settings_version: 1, min_replicas: 2 };
    const found = { ...before, observed_settings_version: 2, desired_replicas: 2 };
    states = [before, found, { ...found, ready_replicas: 2 }];
    const { code, out } = await run("deployments wait support-bot --json observed_settings_version,ready_replicas");
    expect([code, JSON.parse(out)]).toEqual([0, { observed_settings_version: 2, ready_replicas: 2 }]);
  });

  test("a wait that times out exits with 8 and says that the work continues", async () => {
    states = [{ state: "initializing" }];
    const { code, err } = await run("deployments wait support-bot --timeout 0s");
    expect(code).toBe(8);
    expect(err).toContain("the work goes on");
    expect(err).toContain("feather deployments wait support-bot");
  });
});

describe("deployments apply", () => {
  test("deployments apply leaves matching deployments unchanged and exits with 0", async () => {
    const { code, out, err } = await apply(`${MANIFEST}autoscale: {target: 4, metric: pending_requests}\n`, "");
    expect([code, out, err]).toEqual([0, "dep_1\n", "support-bot   unchanged\n"]);
    expect(writes()).toEqual([]);
  });

  test("deployments apply sends only the fields that differ", async () => {
    const { code, out, err } = await apply(`${MANIFEST}min_replicas: 2\nmax_replicas: 2\nrevision: b1c2fa9\n`);
    expect([code, out]).toEqual([0, "dep_1\n"]);
    expect(err).toBe("support-bot   update   replicas 1 → 2, revision null → b1c2fa9\n");
    expect(writes()).toMatchObject([
      { method: "PUT", body: { min_replicas: 2, max_replicas: 2, revision: "b1c2fa9" } },
    ]);
  });

  test("deployments apply creates the new one of several documents without printing its token", async () => {
    const { code, out, err } = await apply(`${MANIFEST}---\n${MANIFEST.replace("support-bot", "new-bot")}---\n`);
    expect([code, out]).toEqual([0, "dep_1\ndep_9\n"]);
    expect(err).toContain("new-bot       create   feather/demo on local, cpu");
    expect(out + err).not.toContain("dpt_");
    expect(writes()).toMatchObject([{ method: "POST", body: { name: "new-bot" } }]);
  });

  test("--prune deletes unnamed deployments after confirmation", async () => {
    const refused = await apply(MANIFEST, "--prune");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("--yes");
    expect(writes()).toEqual([]);
    const { code, err } = await apply(MANIFEST, "--prune --yes");
    expect(code).toBe(0);
    expect(err).toContain("old-bot       delete");
    expect(writes()).toMatchObject([{ method: "DELETE", url: expect.stringContaining("dep_2") }]);
  });

  test("--dry-run prints the plan, without questions or changes", async () => {
    const { code, out } = await apply(`${MANIFEST}visibility: public\n`, "--prune --dry-run");
    expect([code, out]).toEqual([0, "support-bot\tupdate\tvisibility private → public\nold-bot\tdelete\t\n"]);
    const { out: json } = await apply(MANIFEST, "--dry-run --json");
    expect(JSON.parse(json)).toEqual([{ action: "unchanged", name: "support-bot", id: "dep_1", changes: [] }]);
    expect(writes()).toEqual([]);
  });

  test.each<[string, string, number, string]>([
    [
      "an unknown model of an update, with close ones",
      MANIFEST.replace("feather/demo", "feather/dmeo"),
      3,
      "There is no model feather/dmeo.",
    ],
    ["an unknown model of a new deployment", createManifest("feather/dmeo"), 3, "close:   feather/demo"],
    ["an unknown provider", createManifest("feather/demo", "moon"), 2, "there is no moon"],
    ["an unknown region", createManifest("feather/demo", "local", "there"), 2, "there is no there"],
    ["an unknown instance type", createManifest("feather/demo", "local", "here", "h100"), 2, "there is no h100"],
    [
      "a provider that is not available",
      createManifest("feather/demo", "cloud", "eu-west", "l40s"),
      6,
      "Not configured.",
    ],
  ])("--dry-run fails for %s, as applying it would", async (_, text, expected, message) => {
    const { code, out, err } = await apply(text, "--dry-run");
    expect([code, out]).toEqual([expected, ""]);
    expect(err).toContain(message);
    expect(writes()).toEqual([]);
  });

  test.each<[string, () => StubResponse, number, string]>([
    [
      "a plan without a private cloud",
      () => ({ body: buildUser({ plan: { private_cloud: false } }) }),
      4,
      "no private cloud",
    ],
    ["a role that may not manage deployments", () => ({ body: buildUser({ role: "viewer" }) }), 4, "The role viewer"],
    ["a key that may not ask", () => errorResponse(403, "key_scope_denied", "No."), 0, ""],
  ])("--dry-run of a new deployment, with %s", async (_, answer, expected, message) => {
    const before = caller;
    onTestFinished(() => {
      caller = before;
    });
    caller = answer;
    const { code, err } = await apply(createManifest("feather/demo"), "--dry-run");
    expect(code).toBe(expected);
    expect(err).toContain(message);
    expect(writes()).toEqual([]);
  });

  test("deployments apply says that a deployment is public when its file does not", async () => {
    const before = listed;
    onTestFinished(() => {
      listed = before;
    });
    listed = () => [deployment({ visibility: "public" })];
    const { code, err } = await apply(MANIFEST, "--dry-run --exit-code");
    expect([code, err]).toEqual([0, expect.stringContaining("support-bot is public, which its file does not say.")]);
    expect((await apply(`${MANIFEST}visibility: public\n`, "--dry-run")).err).toBe("");
  });

  test("--dry-run --exit-code ends with 6 when something would be done, and with 0 otherwise", async () => {
    const { code, err } = await apply(`${MANIFEST}visibility: public\n`, "--dry-run --exit-code");
    expect([code, err]).toEqual([6, "error: 1 of 1 deployments differ from the files\n"]);
    expect((await apply(MANIFEST, "--dry-run --exit-code")).code).toBe(0);
    expect((await apply(MANIFEST, "--exit-code")).code).toBe(2);
    expect(writes()).toEqual([]);
  });

  test("deployments apply applies several files together, and --prune keeps the names of all of them", async () => {
    const [one, two] = written(MANIFEST, MANIFEST.replace("support-bot", "new-bot"));
    const line = `deployments apply -f ${one} -f ${two} --prune --yes`;
    const { code, out } = await run(line);
    expect([code, out]).toEqual([0, "dep_1\ndep_9\n"]);
    expect(writes()).toMatchObject([
      { method: "POST", body: { name: "new-bot" } },
      { method: "DELETE", url: expect.stringContaining("dep_2") },
    ]);
  });

  test("--prune keeps names that only the first of two files has", async () => {
    const [one, two] = written(MANIFEST.replace("support-bot", "old-bot"), MANIFEST);
    const { out } = await run(`deployments apply -f ${one} -f ${two} --prune --dry-run`);
    expect(out).not.toContain("delete");
  });

  test("deployments apply rejects a name that two files describe, and changes nothing", async () => {
    const [one, two] = written(MANIFEST, `${MANIFEST}max_replicas: 4\n`);
    const { code, err } = await run(`deployments apply -f ${one} -f ${two} --yes`);
    expect(code).toBe(2);
    expect(err).toContain(`${two}:1:1: support-bot is described in ${one} already`);
    expect(writes()).toEqual([]);
  });

  test("deployments create rejects two files", async () => {
    const [one, two] = written(MANIFEST, MANIFEST.replace("support-bot", "new-bot"));
    const { code, err } = await run(`deployments create -f ${one} -f ${two}`);
    expect(code).toBe(2);
    expect(err).toContain("describe more than one deployment");
    expect(err).toContain(`feather deployments apply -f ${one} -f ${two}`);
    expect(writes()).toEqual([]);
  });

  test.each([
    ["serves", [{ state: "updating" }, { state: "running" }], "--wait", 0],
    ["fails", [{ state: "update_failed", state_reason: "No image." }], "--wait", 5],
    ["is not done in time", [{ state: "updating" }], "--timeout 0s", 8],
  ])("--wait exits with the right code when a deployment %s", async (_, next, flags, expected) => {
    states = next;
    expect((await apply(`${MANIFEST}max_replicas: 2\n`, `--yes ${flags}`)).code).toBe(expected);
  });

  test.each([
    ["a fault of YAML", "name: [a\n", /stdin:\d:\d+: /],
    ["an unknown field", `${MANIFEST}min_replica: 1\n`, /stdin:6:1: there is no field min_replica[\s\S]*min_replicas/],
    ["an unknown inner field", `${MANIFEST}autoscale: {metric: x, goal: 1}\n`, /stdin:6:\d+: autoscale.metric must be/],
    [
      "a mistyped field, once",
      MANIFEST.replace("model_id", "modle_id"),
      /^error: stdin:5:1: there is no field modle_id \(did you mean model_id\?\)\n/,
    ],
    ["a missing field", "name: bot\n", /stdin:1:1: model_id is missing/],
    ["a wrong type", `${MANIFEST}min_replicas: "1"\n`, /stdin:6:15: min_replicas must be a whole number/],
    ["too much", `${MANIFEST}max_replicas: 101\n`, /stdin:6:15: max_replicas must be at most 100/],
    [
      "a bad name",
      MANIFEST.replace("support-bot", "Bot!"),
      /stdin:1:7: name must be 3 to 40 small letters, digits and hyphens/,
    ],
    ["a list", "- name: bot\n", /stdin:1:1: a deployment must be a group of fields/],
    ["a name given twice", `${MANIFEST}---\n${MANIFEST}`, /stdin:7:1: support-bot is described twice/],
    ["nothing", "# later\n", /stdin describes no deployment/],
    ["what cannot change", MANIFEST.replace("here", "there"), /region of support-bot cannot change from here to there/],
  ])("deployments apply rejects %s, and changes nothing", async (_, text, message) => {
    const { code, err } = await apply(text);
    expect(err).toMatch(message);
    expect(code).toBe(2);
    expect(writes()).toEqual([]);
  });

  test("deployments apply tells all faults of all files at once, each with its line and column", async () => {
    const bad = `name: Bot!\nprovider_id: local\nregion: 5\nrevision: main\nmin_replica: 1\nautoscale: {metric: x}\n`;
    const [one, two] = written(`${bad}---\n${MANIFEST}max_replicas: 101\n`, `${MANIFEST}revision: [a]\n---\nname: [\n`);
    const { code, err } = await run(`deployments apply -f ${one} -f ${two} --yes`);
    expect(code).toBe(2);
    const lines = err.split("\n");
    expect(lines[0]).toBe("error: there are 9 faults");
    expect(lines.slice(1, 10)).toEqual([
      `  ${one}:1:1: model_id is missing`,
      `  ${one}:1:7: name must be 3 to 40 small letters, digits and hyphens`,
      `  ${one}:3:9: region must be text`,
      `  ${one}:5:1: there is no field min_replica (did you mean min_replicas?)`,
      `  ${one}:6:12: autoscale.target is missing`,
      expect.stringMatching(/:6:21: autoscale.metric must be /),
      `  ${one}:13:15: max_replicas must be at most 100`,
      `  ${two}:6:11: revision must be text, or null`,
      expect.stringMatching(/:\d+:\d+: Flow sequence/),
    ]);
    expect(writes()).toEqual([]);
  });

  test("under GitHub Actions each fault is an annotation of its line, by the path within the checkout", async () => {
    const [one = ""] = written(MANIFEST.replace("support-bot", "Bot!"));
    const env = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: dirname(dirname(one)) };
    const path = `${basename(dirname(one))}/${basename(one)}`;
    const { code, err } = await run(`deployments apply -f ${one} --yes`, { env });
    const message = "name must be 3 to 40 small letters, digits and hyphens";
    expect([code, err.split("\n").slice(0, 2)]).toEqual([
      2,
      [`::error file=${path},line=1,col=7::${message}`, `error: ${one}:1:7: ${message}`],
    ]);
    expect((await run(`deployments apply -f ${one} --yes`)).err).not.toContain("::error");
    expect((await run(`deployments apply -f ${one} --yes --json`, { env })).err).not.toContain("::error");
  });

  test("no field of a file can give GitHub a command of its own", async () => {
    const [one] = written(`${MANIFEST}"x\\n::stop-commands::y": 1\n`);
    const { err } = await run(`deployments apply -f ${one} --yes`, { env: { GITHUB_ACTIONS: "true" } });
    expect(err.match(/^::.*/gm)).toEqual([expect.stringMatching(/^::error file=/)]);
  });

  test("the summary of a GitHub job has the plan, and then what was done", async () => {
    const [one = ""] = written(`${MANIFEST}engine_args: {context: 8192}\n`);
    const summary = join(dirname(one), "summary.md");
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
    await run(`deployments apply -f ${one} --prune --dry-run`, { env });
    expect(readFileSync(summary, "utf8")).toBe(
      "### What applying the files would do\n\n| Deployment | Action | Changes |\n| --- | --- | --- |\n" +
        '| support-bot | update | engine&#95;args &#123;"context"&#58;4096&#125; → &#123;"context"&#58;8192&#125; |\n' +
        "| old-bot | delete |  |\n\n",
    );
    await run(`deployments apply -f ${one} --yes`, { env });
    expect(readFileSync(summary, "utf8")).toMatch(
      /### What applying the files did\n\n.*\n.*\n\| support-bot \| update \|/,
    );
  });

  test("a summary that cannot be written is reported, and changes nothing else", async () => {
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: "/no/such/folder/summary.md" };
    const { code, out, err } = await run("deployments apply -f - --yes", { stdin: MANIFEST, env });
    expect([code, out]).toEqual([0, "dep_1\n"]);
    expect(err).toContain("The summary of the job could not be written: ");
  });

  test("every pattern of the contract is described in words", () => {
    const schema = JSON.stringify(MANIFEST_SCHEMA);
    const count = (key: string) => schema.split(`"${key}":`).length - 1;
    expect([count("pattern"), count("x-pattern-message")]).toEqual([7, 7]);
  });

  test("YAML aliases are resolved", async () => {
    const { code, err } = await apply(`${MANIFEST}min_replicas: &n 2\nmax_replicas: *n\n`);
    expect([code, err]).toEqual([0, "support-bot   update   replicas 1 → 2\n"]);
  });
});

describe("deployments export", () => {
  test("deployments export prints all deployments as one file, which apply finds unchanged", async () => {
    const { code, out } = await run("deployments export");
    expect(code).toBe(0);
    expect(out.split("---")).toHaveLength(2);
    const planned = await apply(out, "--dry-run --json");
    expect(JSON.parse(planned.out)).toMatchObject([{ action: "unchanged" }, { action: "unchanged" }]);
  });

  test("deployments export prints one deployment without what a file cannot have", async () => {
    const { out } = await run("deployments export support-bot");
    expect(out).toContain("name: support-bot\n");
    expect(out).toContain("autoscale:\n  metric: pending_requests\n  target: 4\n");
    expect(out).not.toMatch(/state|url|revision|dep_1/);
  });
});
