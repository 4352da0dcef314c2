import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { type Platform, startPlatform } from "../support/platform.ts";
import { PONG_BACKENDS, type PongBackend } from "./backends.ts";
import { installProgram } from "./install.ts";
import { type RunResult, runToEnd } from "./run-to-end.ts";

const CLI = fileURLToPath(new URL("../../packages/cli/bin/feather.js", import.meta.url));

/** Programs that `feather launch` starts, with the arguments that make them answer once. Goose comes from neither npm nor PyPI. */
const LAUNCHED = [
  { name: "claude", npm: ["@anthropic-ai/claude-code@2.1.197"], args: ["-p", "ping"] },
  { name: "codex", npm: ["@openai/codex@0.169.0"], args: ["exec", "--skip-git-repo-check", "ping"] },
  { name: "opencode", npm: ["opencode-ai@1.18.33"], args: ["run", "ping"] },
  { name: "cline", npm: ["cline@3.0.65"], args: ["Say it."] },
  {
    name: "aider",
    pip: ["aider-chat==0.86.2"],
    args: [
      ...["--message", "ping", "--edit-format", "ask", "--no-git", "--yes-always", "--no-check-update"],
      ...["--no-show-model-warnings", "--no-analytics", "--no-pretty", "--no-detect-urls"],
    ],
  },
] as const;

const folder = mkdtempSync(join(tmpdir(), "feather-launch-"));
let platform: Platform;
let backend: PongBackend;
let feather: Awaited<ReturnType<typeof createAccount>>["feather"];
let key = "";

beforeAll(async () => {
  chmodSync(folder, 0o711); // the database runs as another user
  const openAi = PONG_BACKENDS.find(({ api }) => api === "openai");
  if (openAi === undefined) throw new Error("There is no backend of OpenAI's API.");
  backend = await openAi.start();
  const setting = { name: "pong", base_url: backend.baseUrl, api_key: backend.key, models: [backend.modelName] };
  platform = await startPlatform(folder, { FEATHER_BACKENDS: JSON.stringify([setting]) });
  ({ feather } = await createAccount(platform.baseUrl));
  await feather.marketplace.subscribe({ provider: "aws", token: "test_launch_feather_max" });
  key = (await feather.apiKeys.create({ name: "terminal", scopes: ["api.access", "keys.write"] })).secret;
});
afterAll(async () => {
  platform.process.kill("SIGTERM");
  await platform.ended;
  await backend.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(LAUNCHED)("feather launch $name", ({ args, ...program }) => {
  let bin = "";
  beforeAll(async () => {
    const packages = await installProgram({ ...program, tasks: [], command: () => ({ file: "", args: [] }) });
    bin = join(packages, "pip" in program ? "bin" : join("node_modules", ".bin"));
  }, 900_000);

  test("starts the program with the model, and ends its key", async () => {
    const { code, output } = await launch(program.name, args, bin);
    expect(output).toContain("pong");
    expect(code, output).toBe(0);
    const { items } = await feather.apiKeys.list();
    expect(items.map(({ name }) => name)).toEqual(["terminal"]);
  });
});

function launch(name: string, args: readonly string[], bin: string): Promise<RunResult> {
  const home = join(folder, `home-${name}`);
  mkdirSync(home, { recursive: true });
  return runToEnd(process.execPath, [CLI, "launch", name, "-m", backend.modelId, "--", ...args], {
    cwd: mkdtempSync(join(folder, "work-")),
    env: {
      PATH: [bin, process.env.PATH].join(delimiter),
      HOME: home,
      FEATHER_BASE_URL: platform.baseUrl,
      FEATHER_API_KEY: key,
      FEATHER_CONFIG_DIR: join(home, "feather"),
    },
  });
}
