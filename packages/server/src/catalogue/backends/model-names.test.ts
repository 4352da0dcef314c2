import { readFileSync } from "node:fs";
import { type HttpServer, startHttpServer } from "@feather/testing/http-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest } from "../../testing/chat.ts";
import { OPENROUTER_MODELS } from "../../testing/openrouter-models.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { findKnownId } from "../providers/known-ids.ts";
import { MODEL_NAMES } from "../providers/model-names.ts";
import { findProvider } from "../providers/providers.ts";

let server: TestServer;
let admin: Account;
let openrouter: HttpServer;

/** The list of models in the form of OpenRouter's documentation, with fields that the server does not read left out. */
const LIST = OPENROUTER_MODELS.map(([id, hugging_face_id, input_modalities = ["text"]]) => ({
  id,
  canonical_slug: id,
  hugging_face_id,
  name: id,
  created: 1_746_000_000,
  context_length: 131_072,
  architecture: { modality: "text->text", input_modalities, output_modalities: ["text"], tokenizer: "Other" },
  pricing: { prompt: "0.0000001", completion: "0.0000003", request: "0", image: "0" },
  top_provider: { context_length: 131_072, max_completion_tokens: 16_384, is_moderated: false },
  per_request_limits: null,
  supported_parameters: ["max_tokens", "temperature"],
}));

const idsInCatalogue = async () =>
  (await server.db.selectFrom("models").select("id").where("source", "=", "catalogue").execute()).map(({ id }) => id);
const create = (body: object) => server.call("/api/admin/backends", { token: admin.token, body });

beforeAll(async () => {
  server = await createTestServer({ env: { FEATHER_OUTGOING_ALLOW: "127.0.0.1" } });
  admin = await server.signInAdmin();
  openrouter = await startHttpServer(({ method }, response) => {
    response.setHeader("content-type", "application/json");
    const answer = {
      id: "gen-1",
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
    response.end(JSON.stringify(method === "GET" ? { data: LIST } : answer));
  });
});
afterAll(async () => {
  await server.close();
  await openrouter.close();
});

describe("a list of models with their ids on Hugging Face", () => {
  test("one key makes the models of the catalogue callable that the list names, under their own ids", async () => {
    const catalogue = new Set(await idsInCatalogue());
    const { body } = await create({ name: "openrouter", base_url: `${openrouter.url}/api/v1`, api_key: "sk-or-1" });
    const { models } = body as { models: string[] };
    // Meta renamed these repositories.
    const hubIds = OPENROUTER_MODELS.map(([, id]) => id.replace("/Meta-Llama-3.1", "/Llama-3.1"));
    const expected = new Set(hubIds.filter((id) => catalogue.has(id)));
    expect(models.filter((id) => catalogue.has(id)).toSorted()).toEqual([...expected].toSorted());
    expect([catalogue.size, expected.size]).toEqual([401, 81]);
  });

  test("a call by the catalogue's id is sent with the provider's name", async () => {
    const body = createChatRequest({ model: "deepseek-ai/DeepSeek-V3.1" });
    expect((await server.call("/v1/chat/completions", { token: admin.token, body })).status).toBe(200);
    expect(JSON.parse(openrouter.requests.at(-1)?.body ?? "{}")).toMatchObject({
      model: "deepseek/deepseek-chat-v3.1",
    });
  });

  test("a variant of a model keeps its own name beside the model", async () => {
    const { items } = (await server.call("/api/admin/backends", { token: admin.token })).body as {
      items: { name: string; models: string[] }[];
    };
    const models = items.find(({ name }) => name === "openrouter")?.models;
    expect(models).toEqual(expect.arrayContaining(["deepseek-ai/DeepSeek-R1-0528", "deepseek/deepseek-r1-0528:free"]));
    expect(models).toContain("openai/gpt-4.1");
  });

  test("pictures are accepted by models that the list says to read them, unless an admin has said what they read", async () => {
    const id = "mistralai/Mistral-Small-3.2-24B-Instruct-2506";
    const url = "data:image/png;base64,iVBORw0KGgo=";
    const content = [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url } },
    ];
    const ask = async () =>
      (
        await server.call("/v1/chat/completions", {
          token: admin.token,
          body: createChatRequest({ model: id, messages: [{ role: "user", content }] }),
        })
      ).status;
    expect(await ask()).toBe(200);
    const change = { method: "PUT", token: admin.token, body: { input_modalities: ["text"] } };
    expect((await server.call(`/api/admin/models/${encodeURIComponent(id)}`, change)).status).toBe(200);
    await server.api.backends.discovery.refresh();
    expect(await ask()).toBe(400);
  });

  test("a model whose repository was renamed has the id of today", async () => {
    const { items } = (await server.call("/api/admin/backends", { token: admin.token })).body as {
      items: { name: string; models: string[] }[];
    };
    const models = items.find(({ name }) => name === "openrouter")?.models;
    expect(models).toContain("meta-llama/Llama-3.1-8B-Instruct");
    expect(models).not.toContain("meta-llama/Meta-Llama-3.1-8B-Instruct");
  });

  test("an alias of an admin has precedence over the id in the list", async () => {
    const aliases = [{ name: "qwen/qwen3-32b", as: "me/mine" }];
    const { body } = await create({ name: "aliased", base_url: `${openrouter.url}/v1`, aliases });
    const { models } = body as { models: string[] };
    expect(models).toContain("me/mine");
    expect(models).not.toContain("Qwen/Qwen3-32B");
  });
});

describe("names of providers", () => {
  const seed = new Set(
    (JSON.parse(readFileSync(new URL("../../../seed/models.json", import.meta.url), "utf8")) as { id: string }[]).map(
      ({ id }) => id,
    ),
  );

  test("the table names providers of the list and models of the catalogue", () => {
    for (const [provider, names] of Object.entries(MODEL_NAMES)) {
      expect(findProvider(provider)?.id).toBe(provider);
      expect(Object.values(names).filter((id) => !seed.has(id))).toEqual([]);
    }
  });

  test.each([
    ["https://api.groq.com/openai/v1", "llama-3.3-70b-versatile", "meta-llama/Llama-3.3-70B-Instruct"],
    ["https://api.fireworks.ai/inference/v1", "accounts/fireworks/models/glm-4p6", "zai-org/GLM-4.6"],
    ["https://bedrock-mantle.eu-west-1.api.aws/v1", "openai.gpt-oss-120b", "openai/gpt-oss-120b"],
    ["https://generativelanguage.googleapis.com/v1beta/openai/", "models/gemini-2.5-pro", "google/gemini-2.5-pro"],
    ["https://openrouter.ai/api/v1", "mistralai/mistral-large-2411", "mistralai/Mistral-Large-Instruct-2411"],
    ["https://api.groq.com/openai/v1", "unknown", null],
    ["http://127.0.0.1:8000/v1", "llama-3.3-70b-versatile", null],
  ])("at %s, %s is known as %s", (baseUrl, name, id) => {
    expect(findKnownId(baseUrl, name)).toBe(id);
  });

  test("a backend at a provider's address has its configured models under their known ids", async () => {
    const models = ["accounts/fireworks/models/gpt-oss-20b"];
    const { body } = await create({ provider: "fireworks", api_key: "fw_1", models });
    expect(body).toMatchObject({ provider: "fireworks", models: ["openai/gpt-oss-20b"] });
  });
});
