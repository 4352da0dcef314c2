import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AppError } from "../../platform/core/errors/index.ts";
import { readCardInThread } from "../../testing/read-card.ts";
import { createFolderHub } from "./folder-hub.ts";
import type { Hub } from "./hub.ts";

let root: string;
let hub: Hub;
beforeAll(async () => {
  const above = await mkdtemp(join(tmpdir(), "folder-hub-"));
  await writeFile(join(above, "secret.txt"), "secret");
  root = join(above, "hub");
  const folder = join(root, "acme", "Tiny-1B");
  await mkdir(join(folder, "parts"), { recursive: true });
  await writeFile(
    join(folder, "README.md"),
    "---\nlicense: mit\nlanguage: en\n---\n# Tiny <script>x</script>\n\n![a](https://x.example/a.png)",
  );
  await writeFile(join(folder, "config.json"), '{"architectures":["LlamaForCausalLM"]}');
  await writeFile(join(folder, "model.safetensors"), "0123456789");
  await writeFile(join(folder, "parts", "a.bin"), "abc");
  await writeFile(join(folder, ".hidden"), "no");
  await symlink("model.safetensors", join(folder, "link.safetensors"));
  await symlink(join(above, "secret.txt"), join(folder, "outside.txt"));
  await mkdir(join(root, "acme", "Broken"), { recursive: true });
  await writeFile(join(root, "acme", "Broken", "config.json"), "{not json");
  const quantized = {
    "acme/Tiny-GGUF": "base_model: acme/Tiny-1B",
    "b/Tiny-GGUF": "base_model: acme/tiny-1b\nbase_model_relation: quantized",
    "b/Tuned-GGUF": "base_model: acme/Tiny-1B\nbase_model_relation: finetune",
  };
  for (const [id, card] of Object.entries(quantized)) {
    await mkdir(join(root, id), { recursive: true });
    await writeFile(join(root, id, "README.md"), `---\n${card}\n---\n`);
    await writeFile(join(root, id, "a.gguf"), "GGUF");
  }
  hub = createFolderHub({ root, readCard: readCardInThread });
});
afterAll(() => rm(dirname(root), { recursive: true }));

const failure = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    ({ status, code }: AppError) => `${status} ${code}`,
  );
async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

describe("a folder of models", () => {
  test("a hub in a folder finds the GGUF repositories of a model by their cards", async () => {
    const found = await hub.findQuantized("acme/Tiny-1B");
    expect(found.map(({ id }) => id).sort()).toEqual(["acme/Tiny-GGUF", "b/Tiny-GGUF"]);
    expect((await hub.model("b/Tiny-GGUF")).quantizedFrom).toBe("acme/tiny-1b");
    expect((await hub.model("b/Tuned-GGUF")).quantizedFrom).toBeNull();
  });

  test("a hub in a folder reads a model from its files", async () => {
    const model = await hub.model("ACME/tiny-1b");
    expect(model).toMatchObject({
      id: "acme/Tiny-1B",
      license: "mit",
      languages: ["en"],
      gated: false,
      config: { architectures: ["LlamaForCausalLM"] },
    });
    expect(model.readme).toBe("# Tiny x\n\n[a](https://x.example/a.png)\n");
    expect(model.files.map(({ path, size }) => [path, size]).sort()).toEqual([
      ["README.md", expect.any(Number)],
      ["config.json", 38],
      ["model.safetensors", 10],
      ["parts/a.bin", 3],
    ]);
    expect(await hub.model("acme/Broken")).toMatchObject({ config: null, readme: null });
  });

  test("a hub in a folder downloads a file from an offset", async () => {
    const { body, ...whole } = await hub.download("acme/Tiny-1B", "model.safetensors");
    expect([whole.size, await textOf(body)]).toEqual([10, "0123456789"]);
    const rest = await hub.download("acme/Tiny-1B", "parts/a.bin", { from: 1 });
    expect([rest.from, rest.to, await textOf(rest.body)]).toEqual([1, 3, "bc"]);
    expect(await textOf((await hub.download("acme/Tiny-1B", "link.safetensors")).body)).toBe("0123456789");
  });

  test.each([
    "../secret.txt",
    "../../secret.txt",
    "outside.txt",
    "/etc/passwd",
    "parts/../../../../secret.txt",
    "../Broken/config.json",
    "../../b/Tiny-GGUF/a.gguf",
    "..",
    "../..",
    ".",
    "",
    "nothing",
    "model.safetensors\0.txt",
  ])("a hub in a folder rejects a path outside the model: %j", async (path) => {
    expect(await failure(hub.download("acme/Tiny-1B", path))).toBe("404 hub.not_found");
  });

  test.each([
    "../hub",
    ".",
    "acme/..",
    "acme/../acme",
    "acme",
    "",
    "acme/none",
    "none/Tiny-1B",
    "acme/Tiny-1B/parts",
    "./acme",
  ])("a hub in a folder finds no model %j", async (id) => {
    expect(await failure(hub.model(id))).toBe("404 hub.not_found");
    expect(await failure(hub.verifyAccess(id, "hf_x"))).toBe("404 hub.not_found");
  });

  test("a hub in a folder accepts every token", async () => {
    expect(await hub.verifyAccess("acme/Tiny-1B", "hf_x")).toEqual({ user: null });
  });
});
