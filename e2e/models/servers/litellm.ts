import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@feather/testing/free-port";
import { installOnce, run, type ServerCommand } from "./install.ts";
import { type RealServer, startServer } from "./process.ts";

/** The version that is installed. */
export const LITELLM_VERSION = "1.106.12";
/** The key that the proxy asks for. */
export const LITELLM_KEY = "sk-real";

/** Installs LiteLLM's proxy in a Python environment of its own. */
export async function installLiteLlm(): Promise<ServerCommand> {
  const folder = await installOnce(`litellm-${LITELLM_VERSION}`, async (into) => {
    await run(into, "python3", ["-m", "venv", "venv"]);
    await run(into, "venv/bin/python", ["-m", "pip", "install", "--quiet", `litellm[proxy]==${LITELLM_VERSION}`]);
  });
  return { path: join(folder, "venv/bin/litellm"), env: { LITELLM_LOCAL_MODEL_COST_MAP: "True" } };
}

/** Starts LiteLLM's proxy with its configuration in a folder. Each alias is a model of the server at `baseUrl`. */
export async function startLiteLlm(
  command: ServerCommand,
  folder: string,
  baseUrl: string,
  modelByAlias: Readonly<Record<string, string>>,
): Promise<RealServer> {
  const port = await freePort();
  const config = join(folder, "litellm.json");
  const models = Object.entries(modelByAlias).map(([alias, model]) => ({
    model_name: alias,
    litellm_params: { model: `openai/${model}`, api_base: baseUrl, api_key: "none" },
  }));
  writeFileSync(config, JSON.stringify({ model_list: models, general_settings: { master_key: LITELLM_KEY } }));
  const args = ["--config", config, "--host", "127.0.0.1", "--port", String(port), "--telemetry", "False"];
  return startServer(command, args, port, "/health/liveliness");
}
