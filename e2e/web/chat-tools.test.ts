import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFakeUpstream, type UpstreamScript } from "@feather/testing/fake-upstream";
import { startHttpServer } from "@feather/testing/http-server";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { signInAsAdmin } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { startPlatform } from "../support/platform.ts";

const { open } = useBrowserPages();

const MODEL = "test/adder";

/** A model that asks for a sum before each answer. */
const ADDER: UpstreamScript = {
  reply: ({ messages, tools }) => {
    const last = (messages as { role: string; content: string }[]).at(-1);
    if (last?.role === "tool" || !tools) return { tokens: [`It is ${last?.content}`] };
    const made = { name: "sums__add", arguments: '{"a":20,"b":22}' };
    return {
      deltas: [{ tool_calls: [{ index: 0, id: "call_1", type: "function", function: made }] }],
      finishReason: "tool_calls",
    };
  },
};

/** Starts a server of MCP with a tool that adds, and counts its calls; it ends with the test. */
async function startSums() {
  const calls: unknown[] = [];
  const { url, close } = await startHttpServer(async ({ method, headers, body }, response) => {
    if (method !== "POST") return response.writeHead(405).end();
    const server = new McpServer({ name: "sums", version: "1.0.0" });
    const inputSchema = { a: z.number(), b: z.number() };
    server.registerTool("add", { title: "Add", description: "Adds two numbers.", inputSchema }, ({ a, b }) => {
      calls.push([a, b]);
      return { content: [{ type: "text", text: String(a + b) }] };
    });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const request = new Request(url, { method, headers: headers as Record<string, string>, body });
    const answer = await transport.handleRequest(request);
    return response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  onTestFinished(close);
  return { url: `${url}/mcp`, calls };
}

/** Starts a platform with the model, which may ask servers of this machine; it ends with the test. */
async function startOwnPlatform(): Promise<string> {
  const backend = await startFakeUpstream(ADDER, [MODEL]);
  onTestFinished(backend.close);
  const folder = mkdtempSync(join(tmpdir(), "feather-tools-"));
  chmodSync(folder, 0o711); // the database runs as another user
  const platform = await startPlatform(folder, {
    FEATHER_PRELOAD: "off",
    FEATHER_OUTGOING_ALLOW: "127.0.0.1",
    FEATHER_BACKENDS: JSON.stringify([{ name: "test", base_url: backend.baseUrl, models: [MODEL] }]),
  });
  onTestFinished(async () => {
    platform.process.kill("SIGTERM");
    await platform.ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return platform.baseUrl;
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send", disabled: false }).click();
}

const decide = (page: Page, decision: string) =>
  page
    .getByRole("group", { name: "May sums__add be called with these arguments?" })
    .getByRole("button", { name: decision })
    .click();

test("a person lets a model on a phone call a tool, refuses one, and allows it always, also after a reload", async () => {
  const [sums, baseUrl] = await Promise.all([startSums(), startOwnPlatform()]);
  const { token, feather } = await signInAsAdmin(baseUrl);
  await feather.toolServers.set("sums", { url: sums.url, is_enabled: true });
  const page = await open({ session: token, width: 375, baseURL: baseUrl });
  await page.goto(`/chat?model=${MODEL}`);
  await page.getByRole("button", { name: "Tools" }).click();
  await page.getByRole("checkbox", { name: "Add" }).check();
  await page.getByRole("button", { name: "Done" }).click();
  await ask(page, "How much is it?");
  await page.getByRole("group", { name: "May sums__add be called with these arguments?" }).waitFor();
  await page.reload();
  await decide(page, "No");
  await page.getByText("It is Error: the person did not allow this call.").waitFor();
  expect(sums.calls).toEqual([]);
  await ask(page, "And now?");
  await decide(page, "Always in this chat");
  await page.getByText("It is 42").waitFor();
  await page.reload();
  await ask(page, "Once more?");
  await expect.poll(() => page.getByText("It is 42").count()).toBe(2);
  expect(sums.calls).toEqual([
    [20, 22],
    [20, 22],
  ]);
});
