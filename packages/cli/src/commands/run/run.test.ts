import { buildModel } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { streamedResponse } from "@feather/testing/stub";
import { beforeEach, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const ID = "Qwen/Qwen3-8B";
const FILES = {
  model_id: ID,
  repository: "unsloth/Qwen3-8B-GGUF",
  chosen: "Qwen3-8B-Q8_0.gguf",
  reason: null,
  files: [{ file: "Qwen3-8B-Q8_0.gguf", bytes: 8_700_000_000, quantization: "Q8_0", fits: true }],
};
const PULL = {
  id: "pull_1",
  model_id: ID,
  repository: FILES.repository,
  file: FILES.chosen,
  error: null,
  bytes_done: 0,
  bytes_total: 8_700_000_000,
  conversion_progress: null,
  organization_id: null,
  created_at: "2026-11-21T11:58:00.000Z",
};
type Tier = "warm" | "loading" | "cold" | "offline";
const availability = (tier: Tier, stage: string | null = null) => ({
  ...buildModel().availability,
  tier,
  loading_stage: stage,
});

/** What the server of a test is like. */
let state: {
  tier: Tier;
  stage?: string;
  isAdmin: boolean;
  mayAdminister: boolean;
  files: object;
  ended: string;
  storedFile?: string;
};
beforeEach(() => {
  state = { tier: "offline", isAdmin: true, mayAdminister: true, files: FILES, ended: "done" };
});

const { run, requests } = setupCli({
  "GET /feather/models/Qwen%2FQwen3-8B": () => ({
    body: {
      ...buildModel({ id: ID, availability: availability(state.tier, state.stage) }),
      readme: null,
      places: [],
      probes: [],
      fit: { file: state.storedFile ?? null },
    },
  }),
  "GET /feather/models/Qwen%2FQwen3-8B%3AQ8_0": () => errorResponse(404, "model_not_found", "There is no such model."),
  "GET /feather/models/acme%2Fnew": () => errorResponse(404, "model_not_found", "There is no such model."),
  "GET /auth/me": () => ({ body: { id: "usr_1", username: "maria", email: "m@example.com", is_admin: state.isAdmin } }),
  "GET /admin/settings": () =>
    state.isAdmin && state.mayAdminister ? { body: { items: [] } } : errorResponse(404, "not_found", "Not found"),
  "GET /admin/store/files": () =>
    state.isAdmin && state.mayAdminister ? { body: state.files } : errorResponse(404, "not_found", "Not found"),
  "POST /admin/store/pulls": () => ({ status: 202, body: { ...PULL, state: "queued" } }),
  "GET /admin/store/pulls": () => ({ body: { items: [{ ...PULL, state: state.ended }] } }),
  "POST /v1/chat/completions": () => streamedResponse(["A feather is light."]),
});
const sent = () => requests().map(({ method, path }) => `${method} ${path}`);
const calls = () => requests().filter(({ path }) => path === "/v1/chat/completions");

test.each(["warm", "cold"] as const)(
  "feather run talks at once to a model that is %s, and waits while it loads",
  async (tier) => {
    state.tier = tier;
    const { code, out } = await run(["run", ID, "Why", "feathers?"]);
    expect([code, out]).toEqual([0, "A feather is light.\n"]);
    expect(sent().some((line) => line.includes("store"))).toBe(false);
    expect(calls()).toMatchObject([
      {
        body: { model: ID, messages: [{ role: "user", content: "Why feathers?" }] },
        headers: { "x-wait-for-model": "600" },
      },
    ]);
  },
);

test("downloads a model that nothing runs, and then talks to it", async () => {
  const { code, out, err } = await run(["run", ID, "--yes", "Hello"]);
  expect([code, out]).toEqual([0, "A feather is light.\n"]);
  expect(err).toContain(`${ID} is ready to run.`);
  expect(requests().find(({ method, path }) => method === "POST" && path === "/admin/store/pulls")?.body).toEqual({
    model_id: ID,
  });
  expect(calls()).toMatchObject([{ body: { model: ID } }]);
});

test("downloads a repository that the catalogue does not have", async () => {
  state.files = { ...FILES, model_id: "acme/new", repository: "acme/new" };
  const { code } = await run(["run", "acme/new", "-y", "Hello"]);
  expect(code).toBe(0);
});

test("waits for a download that is on its way, without a question, before it talks to the model", async () => {
  state = { ...state, tier: "loading", stage: "downloading" };
  const { code, err } = await run(["run", ID, "Hello"]);
  expect([code, err.includes(`${ID} is ready to run.`)]).toEqual([0, true]);
  const lines = sent();
  expect(lines.indexOf("POST /admin/store/pulls")).toBeLessThan(lines.indexOf("POST /v1/chat/completions"));
  expect(calls()).toMatchObject([{ body: { model: ID } }]);
});

test("a user who is no admin calls a model that is being downloaded, and waits", async () => {
  state = { ...state, tier: "loading", stage: "queued", isAdmin: false };
  expect((await run(["run", ID, "Hello"])).code).toBe(0);
  expect(sent()).not.toContain("POST /admin/store/pulls");
  expect(calls()).toMatchObject([{ headers: { "x-wait-for-model": "600" } }]);
});

test("an admin whose sign-in may not administer calls a model that is being downloaded, and waits", async () => {
  state = { ...state, tier: "loading", stage: "queued", mayAdminister: false };
  expect((await run(["run", ID, "Hello"])).code).toBe(0);
  expect(sent()).not.toContain("POST /admin/store/pulls");
});

test("feather run takes the quantization that is named, and downloads nothing if its file is here", async () => {
  state = { ...state, tier: "cold", storedFile: FILES.chosen };
  const { code } = await run(["run", `${ID}:Q8_0`, "Hello"]);
  expect(code).toBe(0);
  expect(requests().find(({ path }) => path === "/admin/store/files")?.url).toContain(encodeURIComponent(":Q8_0"));
  expect(sent()).not.toContain("POST /admin/store/pulls");
  expect(calls()).toMatchObject([{ body: { model: ID } }]);
});

test("feather run warns before it downloads a file that the server's memory cannot hold", async () => {
  state.files = { ...FILES, files: FILES.files.map((file) => ({ ...file, fits: false })) };
  expect((await run(["run", `${ID}:Q8_0`, "--yes", "Hello"])).err).toContain("it may not load");
  state.files = FILES;
  expect((await run(["run", `${ID}:Q8_0`, "--yes", "Hello"])).err).not.toContain("it may not load");
});

test("feather run asks before it downloads: without a terminal it needs --yes", async () => {
  const { code, err } = await run(["run", ID, "Hello"]);
  expect(code).toBe(2);
  expect(err).toContain("--yes");
  expect(sent()).not.toContain("POST /admin/store/pulls");
});

test.each<[string, Partial<typeof state>, number, string]>([
  ["people who are no admins ask for the model instead", { isAdmin: false }, 4, `feather models request ${ID}`],
  [
    "an admin whose credential may not administer learns which one goes before the sign-in",
    { mayAdminister: false },
    4,
    "the credential of FEATHER_API_KEY may not administer the platform",
  ],
  [
    "a model that is too large is not downloaded",
    { files: { ...FILES, chosen: null, reason: "The smallest file is too large." } },
    5,
    "The smallest file is too large.",
  ],
  ["a download that fails ends the command", { ended: "failed" }, 5, "ended as failed"],
])("%s", async (_, change, expected, message) => {
  state = { ...state, ...change };
  const { code, err } = await run(["run", ID, "--yes", "Hello"]);
  expect(code).toBe(expected);
  expect(err).toContain(message);
  expect(calls()).toEqual([]);
});

test("feather run without a model and without a terminal names what to use", async () => {
  const { code, err } = await run(["run"]);
  expect(code).toBe(2);
  expect(err).toContain("feather models list --fit");
});
