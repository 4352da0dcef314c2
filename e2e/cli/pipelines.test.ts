/** The pipelines of the docs, run as they stand there, against the platform. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { type Cli, createCli } from "../support/cli.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { offlineNpm } from "../support/pack.ts";
import { platformUrl } from "../support/platform-url.ts";

const PAGE = join(import.meta.dirname, "../../packages/web/content/docs/pipelines.md");
const execute = promisify(execFile);
const baseUrl = platformUrl();
const root = mkdtempSync(join(tmpdir(), "feather-pipelines-"));
const npm = offlineNpm(root);
let person: Cli;
let variables: Record<string, string> = {};
let folder = "";

/** The files of the page, by their names. */
const files = new Map(
  [...readFileSync(PAGE, "utf8").matchAll(/^```\w+ title="([^"]+)".*\n([\s\S]*?)^```$/gm)].map(
    ([, name = "", text = ""]) => [name, text] as const,
  ),
);
const file = (name: string): string => files.get(name) ?? expect.fail(`The page has no file ${name}.`);

const run = (command: string, args: string[], cwd: string, env: Record<string, string> = {}) =>
  execute(command, args, {
    cwd,
    env: { PATH: `${npm.bin}:${process.env.PATH ?? ""}`, HOME: root, ...env },
    timeout: HANG_LIMIT_MS,
  });

beforeAll(async () => {
  const { email, feather, token } = await createAccount(baseUrl);
  const { feather: admin } = await signInAsAdmin(baseUrl);
  const { id } = await admin.admin.users.list({ search: email }).then(({ items }) => items[0] ?? expect.fail());
  await admin.admin.users.update(id, { plan_id: "feather_max" });
  const { secret } = await feather.apiKeys.create({ name: "pipeline", scopes: ["api.access", "deployments.write"] });
  person = createCli({ baseUrl, token });
  variables = { FEATHER_BASE_URL: baseUrl, FEATHER_API_KEY: secret, CI: "true" };
});
afterAll(() => {
  person.remove();
  rmSync(root, { recursive: true, force: true });
});

/** A fresh checkout of a repository, and an organization without deployments. */
beforeEach(async () => {
  for (const id of (await person.run("deployments list -q")).stdout.split("\n"))
    if (id !== "") await person.run(`deployments delete ${id} --yes`);
  await expect.poll(async () => (await person.run("deployments list -q")).stdout).toBe("");
  folder = mkdtempSync(join(root, "checkout-"));
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
});

type Deployment = { name: string; state: string; settings_version: number };
const deployments = async () => (await person.json<{ items: Deployment[] }>("deployments list")).items;
const bash = (script: string, cwd = folder) => run("bash", ["-e", "-c", script], cwd, variables);

const SERVES = [expect.objectContaining({ name: "support-bot", state: "running", settings_version: 1 })];

test("the shell script deploys and calls a model, and does nothing the second time", async () => {
  const first = await bash("bash deploy.sh");
  expect(first.stdout).toContain('"object":"chat.completion"');
  expect(await deployments()).toEqual(SERVES);
  const second = await bash("bash deploy.sh");
  expect(second.stderr).toContain("support-bot   unchanged");
  expect(await deployments()).toEqual(SERVES);
});

test("a script whose key lacks the scope fails with its exit code before it changes anything", async () => {
  const wrong = { ...variables, FEATHER_API_KEY: "rc_wrong" };
  const ended = await run("bash", ["deploy.sh"], folder, wrong).catch((error: { code: number }) => error);
  expect(ended).toMatchObject({ code: 4 });
  expect(await deployments()).toEqual([]);
});

type Step = { run?: string; if?: string };
type Workflow = { env: Record<string, string>; jobs: Record<string, { steps: Step[] }> };

/** Runs a workflow as GitHub does for an event, and answers what its steps said. */
async function workflow(event: string): Promise<string> {
  const { env, jobs } = parse(file(".github/workflows/deployments.yml")) as Workflow;
  const filled = (text: string) =>
    text.replace(/\$\{\{ (?:vars|secrets)\.(\w+) \}\}/g, (_, name) => variables[name] ?? "");
  const given = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text)]));
  let said = "";
  for (const step of Object.values(jobs).flatMap(({ steps }) => steps)) {
    if (step.if !== undefined && step.if !== `github.event_name == '${event}'`) continue;
    if (step.run === undefined) continue;
    const { stdout, stderr } = await run("bash", ["-e", "-c", step.run], folder, { ...given, CI: "true" });
    said += stdout + stderr;
  }
  return said;
}

test("the GitHub workflow shows the plan of a pull request and applies it after the merge", async () => {
  expect(await workflow("pull_request")).toMatch(/^support-bot\tcreate/m);
  expect(await deployments()).toEqual([]);
  expect(await workflow("push")).toMatch(/^dep_\w+$/m);
  expect(await deployments()).toEqual(SERVES);
  expect(await workflow("push")).toContain("support-bot   unchanged");
});

type Gitlab = { default: { before_script: string[] } } & Record<"plan" | "apply", { script: string[] }>;

test("the GitLab jobs show the plan of a merge request and apply it after the merge", async () => {
  const jobs = parse(file(".gitlab-ci.yml")) as Gitlab;
  const job = async (name: "plan" | "apply") => {
    const { stdout, stderr } = await bash([...jobs.default.before_script, ...jobs[name].script].join("\n"));
    return stdout + stderr;
  };
  expect(await job("plan")).toMatch(/^support-bot\tcreate/m);
  expect(await deployments()).toEqual([]);
  expect(await job("apply")).toMatch(/^dep_\w+$/m);
  expect(await deployments()).toEqual(SERVES);
  expect(await job("apply")).toContain("support-bot   unchanged");
});
