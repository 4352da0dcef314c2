// Brings a checkout to the point where it runs: installs and builds what has changed since the last time.
// It runs on the host's Node, before anything is installed, so it uses nothing but Node 20's own modules.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PNPM = "pnpm@12.21.0";
const STAMPS = join(ROOT, "node_modules", ".feather");
const SKIPPED = new Set(["node_modules", "dist", "dist-types", ".git", ".feather", ".artifacts"]);

if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(`Feather needs Node 20 or newer to set itself up; this is ${process.version}.`);
  process.exit(1);
}

const manifests = [
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  ...packageFolders().map((folder) => join(folder, "package.json")),
];
step("install", manifests, [join(ROOT, "node_modules", ".bin", "tsc")], () => {
  say("Installing packages. The first time takes about a minute.");
  run("npx", ["--yes", PNPM, "install", "--frozen-lockfile"]);
});

if (!process.argv.includes("--install-only")) {
  const sources = ["tsconfig.base.json", "scripts/build.ts", "scripts/pack.ts", ...packageFolders()].flatMap((path) =>
    filesBelow(path),
  );
  const outputs = [
    "packages/web/dist/index.html",
    "packages/web/dist/cli.tgz",
    "packages/web/dist/sdk.tgz",
    "packages/cli/dist/main.js",
    "packages/engine/dist/models/demo.gguf",
  ];
  step(
    "build",
    sources,
    outputs.map((path) => join(ROOT, path)),
    () => {
      say("Building the site, the terminal program and the demonstration model.");
      run(join(ROOT, "node_modules", ".bin", "node"), ["scripts/build.ts"]);
    },
  );
}

/** Runs the work unless its inputs are those of the last time and its outputs are there. */
function step(name, inputs, outputs, work) {
  const stamp = join(STAMPS, name);
  const fingerprint = fingerprintOf(inputs);
  const done =
    existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint && outputs.every((path) => existsSync(path));
  if (done) return;
  work();
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stamp, fingerprint);
}

/** Content of manifests, and size and time of everything else: quick, and a change is never missed. */
function fingerprintOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    const file = join(ROOT, path);
    hash.update(path);
    if (/\.(json|ya?ml)$/.test(path) && statSync(file).size < 500_000) hash.update(readFileSync(file));
    else hash.update(`${statSync(file).size} ${Math.round(statSync(file).mtimeMs)}`);
  }
  return hash.digest("hex");
}

function packageFolders() {
  return ["openapi", "e2e", ...readdirSync(join(ROOT, "packages")).map((name) => join("packages", name))].filter(
    (folder) => existsSync(join(ROOT, folder, "package.json")),
  );
}

function filesBelow(path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { withFileTypes: true })
    .filter((entry) => !SKIPPED.has(entry.name) && !entry.name.endsWith(".tsbuildinfo"))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(path, entry.name)) : entry.isFile() ? [join(path, entry.name)] : [],
    )
    .sort();
}

function run(command, args) {
  const path = [join(ROOT, "node_modules", ".bin"), process.env.PATH].join(process.platform === "win32" ? ";" : ":");
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", env: { ...process.env, PATH: path } });
  if (status !== 0) {
    say(`${dirname(command) === "." ? command : "The build"} failed. What it said stands above.`);
    process.exit(status ?? 1);
  }
}

function say(text) {
  console.error(`feather: ${text}`);
}
