// Prepares a checkout to run: installs, generates and builds what has changed since the last time. It runs on the
// host's Node, before anything is installed, so it only uses Node 20's built-in modules.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { explainFailure, explainNodeFailure } from "./failure.mjs";
import { computeFingerprint, listFilesBelow } from "./fingerprint.mjs";
import { chooseGpuBindings, gpuBindingsFolder, installGpuBindings, readMachine } from "./gpu.mjs";
import { takeSetupLock } from "./setup-lock.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Pins pnpm's version and hash. npm installs pnpm there; pnpm's own lockfile pins everything else. */
const PNPM_FOLDER = join("scripts", "pnpm");
const PNPM = join(ROOT, PNPM_FOLDER, "node_modules", "pnpm", "bin", "pnpm.cjs");
/** The Node that the workspace brings along. */
const NODE = join(ROOT, "node_modules", ".bin", "node");
const LOCK = join(ROOT, "scripts", ".setup.lock");
const STAMPS = join(ROOT, "node_modules", ".feather");
/** Packages without a build: they run from source. */
const RUN_FROM_SOURCES = ["e2e", join("packages", "guide"), join("packages", "markdown"), join("packages", "server")];
const MAX_KEPT_STDERR = 20_000;
/** What the code made at set-up comes from. The SDK's calls and the terminal program's pages come from the contract and the commands. */
const CODE_SOURCES = [
  "openapi",
  ...["sdk", "cli"].flatMap((name) => ["generate.ts", "generator", "src"].map((part) => `packages/${name}/${part}`)),
  ...["README.md", "package.json"].map((name) => `packages/sdk/${name}`),
  ...["generate.ts", "src/platform/core/errors"].map((part) => `packages/server/${part}`),
];
const GENERATED = [
  "openapi/generated/openapi.json",
  "packages/sdk/src/generated/schema.ts",
  "packages/cli/man/feather.1",
  "packages/web/content/docs/cli-reference.md",
  "packages/web/content/docs/sdk.md",
  "packages/server/src/platform/core/errors/factories.generated.ts",
];
const BUILT = ["packages/web/dist/index.html", "packages/cli/dist/main.js", "packages/engine/dist/models/demo.gguf"];
/** npm's defaults would retry for more than a minute, without output, when there is no network. */
const FETCH_RETRIES = { npm_config_fetch_retry_mintimeout: "2000", npm_config_fetch_retry_maxtimeout: "5000" };

if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(`Feather needs Node 20 or newer to set itself up; this is ${process.version}.`);
  process.exit(1);
}

const releaseLock = await takeSetupLock(LOCK, (pid) =>
  log(`Another set-up works in this checkout (process ${pid}). Waiting until it has ended.`),
);
process.once("exit", releaseLock);

const manifests = [
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  join(PNPM_FOLDER, "package-lock.json"),
  ...listPackageFolders().map((folder) => join(folder, "package.json")),
];
await step("install", manifests, toPaths(["node_modules/.bin/node", "node_modules/.bin/tsc"]), async () => {
  log("Installing packages. The first time takes about a minute.");
  await step("pnpm", [join(PNPM_FOLDER, "package-lock.json")], [PNPM], () =>
    run("Installing pnpm", "npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", PNPM_FOLDER]),
  );
  await run("Installing packages", process.execPath, [PNPM, "install", "--frozen-lockfile"]);
  assertNodeStarts();
});

for (const gpu of chooseGpuBindings(readMachine(ROOT))) {
  const lockfile = join("scripts", "gpu", gpu, "package-lock.json");
  await step(`gpu-${gpu}`, [lockfile], [gpuBindingsFolder(ROOT, gpu)], () => {
    log(`Installing the bindings of llama.cpp for the graphics card (${gpu}); FEATHER_GPU=off leaves them out.`);
    const problem = installGpuBindings(ROOT, gpu);
    if (problem !== null)
      log(`They could not be installed, and models run without them. The next start tries again. ${problem}`);
    return problem === null;
  });
}

const codeSources = CODE_SOURCES.flatMap((path) => listFilesBelow(ROOT, path));
await step("generate", codeSources, toPaths(GENERATED), () =>
  run("Generating code from the contract", NODE, ["scripts/generate-code.ts"]),
);

if (!process.argv.includes("--no-build")) {
  const built = listPackageFolders().filter((folder) => !RUN_FROM_SOURCES.includes(folder));
  const sources = ["tsconfig.base.json", "scripts/build.ts", ...built].flatMap((path) => listFilesBelow(ROOT, path));
  await step("build", sources, toPaths(BUILT), async () => {
    log("Building the site, the terminal program and the demonstration model.");
    await run("The build", NODE, ["scripts/build.ts"]);
    log("Built.");
  });
}

/** Runs the work unless its inputs are unchanged since the last run and all its outputs exist. Work that returns false is repeated. */
async function step(name, inputs, outputs, work) {
  const stamp = join(STAMPS, name);
  const fingerprint = computeFingerprint(ROOT, inputs);
  const done =
    existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint && outputs.every((path) => existsSync(path));
  if (done) return;
  if ((await work()) === false) return;
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stamp, fingerprint);
}

function toPaths(names) {
  return names.map((name) => join(ROOT, name));
}

function listPackageFolders() {
  return ["openapi", "e2e", ...readdirSync(join(ROOT, "packages")).map((name) => join("packages", name))].filter(
    (folder) => existsSync(join(ROOT, folder, "package.json")),
  );
}

/** Explains what the Node of the workspace lacks, and exits, if it does not start. */
function assertNodeStarts() {
  const { status, stderr, error } = spawnSync(NODE, ["--version"], { encoding: "utf8" });
  if (status === 0) return;
  log(explainNodeFailure({ stderr: stderr || (error?.message ?? "") }));
  process.exit(1);
}

/** Runs a program and forwards its output. When it fails, explains why and exits with its status. */
async function run(label, command, args) {
  const path = [join(ROOT, "node_modules", ".bin"), process.env.PATH].join(process.platform === "win32" ? ";" : ":");
  const env = { ...FETCH_RETRIES, ...process.env, PATH: path };
  const child = spawn(command, args, { cwd: ROOT, stdio: ["inherit", "inherit", "pipe"], env });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    process.stderr.write(chunk);
    stderr = (stderr + chunk).slice(-MAX_KEPT_STDERR);
  });
  const { status, signal, error } = await new Promise((resolve) => {
    child.once("error", (error) => resolve({ status: 1, signal: null, error }));
    child.once("close", (status, signal) => resolve({ status, signal }));
  });
  if (status === 0) return;
  log(explainFailure(label, { status, signal, stderr: stderr + (error?.message ?? "") }));
  process.exit(status ?? 1);
}

function log(text) {
  console.error(`feather: ${text}`);
}
