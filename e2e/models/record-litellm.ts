/**
 * Records what a real LiteLLM proxy sends for a streamed call, into `packages/testing/recordings`: from the repository's
 * root, `npx node e2e/models/record-litellm.ts` (with the Node of the workspace). It installs LiteLLM into a temporary folder with `python3 -m venv`, or uses
 * the one whose command is given. What runs behind it is the fake backend of the tests.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startFakeUpstream, type UpstreamScript } from "@feather/testing/fake-upstream";
import { freePort } from "@feather/testing/free-port";

const VERSION = "1.106.12";
const KEY = "sk-recording";
const START_ATTEMPTS = 240;
const FOLDER = new URL("../../packages/testing/recordings/", import.meta.url);
const toolCall = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] });
const SCRIPTS: Readonly<Record<string, UpstreamScript>> = {
  text: { tokens: ["Hel", "lo", "!"] },
  tools: {
    deltas: [
      { content: "Let me see." },
      toolCall(0, { id: "call_a", type: "function", function: { name: "weather", arguments: "" } }),
      toolCall(0, { function: { arguments: '{"city":' } }),
      toolCall(0, { function: { arguments: '"Oslo"}' } }),
      toolCall(1, { id: "call_b", type: "function", function: { name: "weather", arguments: '{"city":"Bergen"}' } }),
    ],
    finishReason: "tool_calls",
  },
};

const folder = mkdtempSync(join(tmpdir(), "litellm-"));
const command = process.argv[2] ?? install(folder);
const upstream = await startFakeUpstream();
for (const [name, script] of Object.entries(SCRIPTS)) upstream.scripts.set(name, script);
const port = await freePort();
const proxy = startProxy(command, port);
try {
  await waitUntilReady(port);
  for (const name of Object.keys(SCRIPTS))
    writeFileSync(new URL(`litellm-${name}.sse`, FOLDER), await record(port, name));
} finally {
  proxy.kill();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Installs LiteLLM into the folder and returns its command. */
function install(into: string): string {
  execFileSync("python3", ["-m", "venv", into]);
  execFileSync(join(into, "bin", "pip"), ["install", "--quiet", `litellm[proxy]==${VERSION}`], { stdio: "inherit" });
  return join(into, "bin", "litellm");
}

function startProxy(path: string, at: number) {
  const models = Object.keys(SCRIPTS).map((name) => ({
    model_name: name,
    litellm_params: { model: `openai/${name}`, api_base: upstream.baseUrl, api_key: "none" },
  }));
  const config = join(folder, "config.yaml");
  writeFileSync(config, JSON.stringify({ model_list: models, general_settings: { master_key: KEY } }));
  const args = ["--config", config, "--host", "127.0.0.1", "--port", String(at), "--telemetry", "False"];
  return spawn(path, args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: "True" },
  });
}

async function waitUntilReady(at: number): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt++) {
    const isReady = await fetch(`http://127.0.0.1:${at}/health/liveliness`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(500);
  }
  throw new Error("LiteLLM did not start.");
}

/** Returns the whole stream that the proxy sends for a call to a model. */
async function record(at: number, model: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${at}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: JSON.stringify({
      model,
      messages: [{ role: "user", content: "Hello" }],
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: "function", function: { name: "weather", parameters: { type: "object" } } }],
    }),
  });
  if (!response.ok) throw new Error(`LiteLLM answered ${response.status}: ${await response.text()}`);
  return response.text();
}
