/** The SDK in every kind of runtime that there is here: this Node, a browser, and one with nothing but the web's own globals. */
import { fileURLToPath } from "node:url";
import { EdgeVM } from "@edge-runtime/vm";
import { build } from "esbuild";
import { beforeAll, expect, inject, test } from "vitest";
import { newAccount } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import { type Journey, journey } from "./journey.ts";

const baseUrl = inject("baseUrl");
let token = "";
let bundle = "";

beforeAll(async () => {
  ({ token } = await newAccount(baseUrl));
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("journey.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "sdk",
    target: "es2022",
  });
  bundle = outputFiles[0]?.text ?? "";
});

const whole: Journey = {
  models: 30,
  failure: "NotFoundError",
  said: expect.stringContaining("demonstration model"),
  stopped: "AbortedError",
  raw: 200,
};

test("Node", async () => {
  expect(await journey(baseUrl, token)).toEqual(whole);
});

test("a browser, on a page of the platform", async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(`${baseUrl}/api/health/live`);
    await page.addScriptTag({ content: bundle });
    const made = await page.evaluate(`sdk.journey(${JSON.stringify(baseUrl)}, ${JSON.stringify(token)})`);
    expect(made).toEqual(whole);
    const refused = await page.evaluate(`sdk.withKey()`).catch((error: Error) => error.message);
    expect(refused).toMatch(/read by everybody/);
  } finally {
    await browser.close();
  }
});

test("an edge runtime", async () => {
  const edge = new EdgeVM();
  edge.evaluate(bundle);
  const made: unknown = await edge.evaluate(`sdk.journey(${JSON.stringify(baseUrl)}, ${JSON.stringify(token)})`);
  expect({ ...(made as object) }).toEqual(whole);
});
