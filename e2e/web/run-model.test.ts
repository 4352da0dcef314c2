import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeHub, startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { type Platform, startPlatform } from "../support/platform.ts";

const ID = "Qwen/Qwen3-0.6B";
/** A model file that loads, for the hub to serve under the name of another model. */
const GGUF = readFileSync("packages/engine/dist/models/demo.gguf");
const folder = mkdtempSync(join(tmpdir(), "feather-run-"));
chmodSync(folder, 0o711);
let hub: FakeHub;
let platform: Platform;
/** The download that the hub has begun to answer, of which it holds back the second half. */
let held: { response: ServerResponse; rest: Buffer } | null = null;
const { open } = useBrowserPages();

beforeAll(async () => {
  const tags = ["gguf", `base_model:quantized:${ID}`];
  hub = await startFakeHub([
    { id: ID, files: { "README.md": "# Qwen3", "model.safetensors": { size: 5000 } } },
    { id: "Qwen/Qwen3-0.6B-GGUF", tags, files: { "README.md": "# GGUF", "Qwen3-0.6B-Q8_0.gguf": GGUF } },
  ]);
  hub.state.store = (_request, response, bytes) => {
    response.writeHead(200, { "content-length": bytes.length });
    response.write(bytes.subarray(0, bytes.length / 2));
    held = { response, rest: bytes.subarray(bytes.length / 2) };
  };
  platform = await startPlatform(folder, { FEATHER_HUB_URL: hub.baseUrl });
});
afterAll(async () => {
  platform.process.kill("SIGTERM");
  await platform.ended;
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

test("an admin runs a model of the catalogue from its page, watches it arrive, and talks to it", async () => {
  const { token } = await signInAsAdmin(platform.baseUrl);
  const page = await open({ session: token });
  await page.goto(`${platform.baseUrl}/models/${ID}`);
  await page.getByText("offline here").waitFor();
  await page.getByRole("button", { name: "Run it here" }).click();
  await page.getByText("Qwen/Qwen3-0.6B-GGUF has.").waitFor();
  await page.getByRole("button", { name: /^Download \d/ }).click();
  await page.getByText(/^Downloading: 1\.3 MB of 2\.6 MB/).waitFor();
  await page.getByText(/^downloading \d+ %$/).waitFor();
  expect(await page.getByText("offline here").count()).toBe(0);
  await page.getByRole("button", { name: "1 download is running" }).click();
  await page
    .getByRole("dialog", { name: "Downloads" })
    .getByText(/^Downloading: 1\.3 MB of 2\.6 MB/)
    .waitFor();
  await page.keyboard.press("Escape");
  held?.response.end(held.rest);
  await page.getByText("cold: the first call loads it").waitFor();

  await page.getByRole("link", { name: "Chat with it" }).click();
  await page.getByLabel("Message").fill("Hello, who are you?");
  await page.keyboard.press("Enter");
  await page.getByText(/^\d+ tokens$/).waitFor();
  expect(await page.locator("article").innerText()).toContain("demonstration model");
});
