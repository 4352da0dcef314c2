/** The SDK in every kind of runtime: all Nodes it names and newer ones, Bun, Deno, a browser, and one with nothing but the web's own globals. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { EdgeVM } from "@edge-runtime/vm";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { platformUrl } from "../support/platform-url.ts";
import { fetchRuntimes, type RuntimeName, runtimeCommand } from "../support/runtimes.ts";
import type { JourneyResult } from "./sdk-journey.ts";

const SDK = fileURLToPath(new URL("../../packages/sdk", import.meta.url));
const execute = promisify(execFile);
const baseUrl = platformUrl();
const folder = mkdtempSync(join(tmpdir(), "feather-runtimes-"));
const entry = fileURLToPath(new URL("sdk-journey.ts", import.meta.url));
let token = "";
let bundle = "";

beforeAll(async () => {
  ({ token } = await createAccount(baseUrl));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "sdk",
    target: "es2022",
  });
  bundle = outputFiles[0]?.text ?? "";
  await installed();
  fetchRuntimes();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder in which the SDK is installed: its JavaScript, and the journey as a program that prints its results. */
async function installed(): Promise<void> {
  const target = join(folder, "node_modules/@feather/sdk");
  mkdirSync(target, { recursive: true });
  await build({
    entryPoints: [join(SDK, "src/index.ts")],
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    outdir: join(target, "dist"),
    external: ["openapi-fetch", "eventsource-parser"],
  });
  const manifest = { name: "@feather/sdk", type: "module", exports: { ".": "./dist/index.js" } };
  writeFileSync(join(target, "package.json"), JSON.stringify(manifest));
  for (const name of ["openapi-fetch", "eventsource-parser"])
    symlinkSync(realpathSync(join(SDK, "node_modules", name)), join(folder, "node_modules", name));
  const dependencies = { "@feather/sdk": "*" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", dependencies }));
  await build({ entryPoints: [entry], format: "esm", target: "es2022", outfile: join(folder, "journey.js") });
  writeFileSync(
    join(folder, "main.js"),
    `import { runJourney } from "./journey.js";
console.log(JSON.stringify(await runJourney(process.argv[2], process.argv[3])));
`,
  );
}

const whole: JourneyResult = {
  models: 30,
  failure: "NotFoundError",
  answer: expect.stringContaining("demonstration model"),
  stopped: "AbortedError",
  raw: 200,
};

test.each<RuntimeName>(["node-20", "node-22.12", "node-24", "node-26", "bun", "deno"])(
  "the SDK works in %s",
  async (name) => {
    const { file, args } = runtimeCommand(name);
    const { stdout } = await execute(file, [...args, "main.js", baseUrl, token], {
      cwd: folder,
      timeout: HANG_LIMIT_MS,
    });
    expect(JSON.parse(stdout)).toEqual(whole);
  },
);

test("the SDK works in a browser on a page of the platform", async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(`${baseUrl}/api/health/live`);
    await page.addScriptTag({ content: bundle });
    const made = await page.evaluate(`sdk.runJourney(${JSON.stringify(baseUrl)}, ${JSON.stringify(token)})`);
    expect(made).toEqual(whole);
    const refused = await page.evaluate(`sdk.createWithApiKey()`).catch((error: Error) => error.message);
    expect(refused).toMatch(/read by everybody/);
  } finally {
    await browser.close();
  }
});

test("the SDK works in an edge runtime", async () => {
  const edge = new EdgeVM();
  edge.evaluate(bundle);
  const made: unknown = await edge.evaluate(`sdk.runJourney(${JSON.stringify(baseUrl)}, ${JSON.stringify(token)})`);
  expect({ ...(made as object) }).toEqual(whole);
});

test("the oldest Node of the engines field is among the tested runtimes", () => {
  const { engines } = JSON.parse(readFileSync(join(SDK, "package.json"), "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe(">=20.19");
});
