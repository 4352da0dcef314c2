import { Readable } from "node:stream";
import type { BackendProvider } from "@feather/sdk";
import { expect, test } from "vitest";
import { readEnvironment } from "../../../config/environment.ts";
import { readProviderKey } from "../../../input.ts";
import { createMemoryStream } from "../../../testing/run-cli.ts";
import { setupCli } from "../../../testing/setup-cli.ts";
import { completeProviderBody } from "./add-provider.ts";

const openrouter: BackendProvider = {
  id: "openrouter",
  name: "OpenRouter",
  kind: "router",
  base_url: "https://openrouter.ai/api/v1",
  placeholders: [],
  api: "openai",
  lists_models: true,
  model_examples: [],
  key_url: "https://openrouter.ai/settings/keys",
  key_prefix: "sk-or-",
  pricing_url: "https://openrouter.ai/models",
  billing: "tokens",
  location: "several",
};
const azure: BackendProvider = {
  ...openrouter,
  id: "azure",
  name: "Azure OpenAI",
  base_url: "https://{resource}.openai.azure.com/openai/v1",
  placeholders: [{ name: "resource", description: "Your resource", suggestions: ["my-company"], pattern: "[a-z-]+" }],
  lists_models: false,
  model_examples: ["my-deployment"],
  key_prefix: null,
  location: "chosen",
};
const { run, runInteractive, requests } = setupCli({
  "GET /admin/providers": () => ({ body: { items: [azure, openrouter] } }),
  "POST /admin/backends": ({ body }) => ({ status: 201, body: { id: "bck_1", name: "added", ...(body as object) } }),
});
const added = () => requests().find(({ method }) => method === "POST")?.body;

test("lists the providers with where their keys are made", async () => {
  expect((await run("admin providers")).out).toContain(
    "openrouter\tOpenRouter\trouter\ttokens\tseveral\thttps://openrouter.ai/settings/keys\thttps://openrouter.ai/api/v1\n",
  );
  expect((await runInteractive("admin providers", { columns: 80 })).out).toMatch(/azure +Azure OpenAI/);
});

test.each(["--key -", "--with-key"])("adds a provider by its id, with the key on stdin by %s", async (flag) => {
  const { code, err } = await run(`admin backends add openrouter ${flag}`, { stdin: "sk-or-secret\n" });
  expect([code, err]).toEqual([0, "Added added.\n"]);
  expect(added()).toEqual({ provider: "openrouter", api_key: "sk-or-secret" });
});

test("adds a provider with the values of its address, its models, and a name of its own", async () => {
  const line = "admin backends add Azure --resource my-company --models one,two --name company --weight 2 --key -";
  expect((await run(line, { stdin: "secret" })).code).toBe(0);
  expect(added()).toEqual({
    provider: "azure",
    name: "company",
    placeholders: { resource: "my-company" },
    models: ["one", "two"],
    weight: 2,
    api_key: "secret",
  });
});

test("warns about a key that does not begin like the provider's, and adds the backend", async () => {
  const { code, err } = await run("admin backends add openrouter --key -", { stdin: "gsk_other" });
  expect([code, err]).toEqual([0, expect.stringContaining("Keys of OpenRouter begin with sk-or-, this one does not.")]);
  expect(added()).toMatchObject({ api_key: "gsk_other" });
});

test.each([
  ["admin backends add nobody --key -", "there is no provider nobody"],
  ["admin backends add openrouter", "there is nobody to ask here: use --key -"],
  ["admin backends add azure --models one --key -", "there is nobody to ask here: use --resource"],
  ["admin backends add azure --resource x --key -", "there is nobody to ask here: use --models"],
  ["admin backends add openrouter --key sk-or-secret", "'sk-or-secret' is invalid"],
  ["admin backends add x https://x.example/v1 --region eu", "for providers, which need no address"],
])("%s adds nothing, and says what is missing", async (line, message) => {
  const { code, err } = await run(line, { stdin: "secret" });
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  expect(added()).toBeUndefined();
});

test("asks at a terminal for the values of the address and for models that the provider does not list", async () => {
  const labels: string[] = [];
  const askLine = async (label: string) => {
    labels.push(label);
    return label.startsWith("Your resource") ? "my-company" : "one, two";
  };
  expect(await completeProviderBody({ askLine }, azure, { placeholders: {} })).toEqual({
    provider: "azure",
    placeholders: { resource: "my-company" },
    models: ["one", "two"],
  });
  expect(labels).toEqual(["Your resource, such as my-company", "Its models, by comma, such as my-deployment"]);
});

test("asks at a terminal for the key without showing it, and says where one is made", async () => {
  const labels: string[] = [];
  const askSecret = async (label: string) => {
    labels.push(label);
    return " sk-or-secret ";
  };
  const output = createMemoryStream(true);
  const io = { stdin: Readable.from([]), stdout: output, stderr: output, env: readEnvironment({}, "linux") };
  const info = (text: string) => void labels.push(text);
  expect(await readProviderKey({ io, askSecret, output: { info } }, openrouter, false)).toBe("sk-or-secret");
  expect(labels).toEqual(["Key of OpenRouter, from https://openrouter.ai/settings/keys"]);
});
