import { describe, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const VECTORS: Record<string, number[]> = { "a/embed": [0.25, -1, 3e-7], "a/long": Array(1024).fill(0.5) };
const { run, runInteractive, requests } = setupCli({
  "POST /v1/embeddings": ({ body }) => ({
    body: {
      object: "list",
      model: (body as { model: string }).model,
      data: [{ object: "embedding", index: 0, embedding: VECTORS[(body as { model: string }).model] }],
      usage: { prompt_tokens: 5, total_tokens: 5 },
    },
  }),
});

describe("feather embed", () => {
  test("feather embed prints the vector of a text as a JSON array", async () => {
    const { code, out, err } = await run(["embed", "-m", "a/embed", "Feathers are", "light."]);
    expect([code, out, err]).toEqual([0, "[0.25,-1,3e-7]\n", ""]);
    expect(requests()[0]?.body).toEqual({ model: "a/embed", input: "Feathers are light." });
  });

  test("feather embed reads the text from stdin", async () => {
    await run("embed -m a/embed --dimensions 3 --queue 30", { stdin: "from a pipe\n" });
    expect(requests()[0]).toMatchObject({
      body: { model: "a/embed", input: "from a pipe", dimensions: 3 },
      headers: { "x-queue-timeout": "30" },
    });
  });

  test("feather embed prints the whole response with --json, and what jq makes of it", async () => {
    expect(JSON.parse((await run("embed -m a/embed --json hi")).out)).toMatchObject({ model: "a/embed" });
    expect((await run("embed -m a/embed hi --jq .usage.total_tokens")).out).toBe("5\n");
  });

  test("feather embed says how long the vector is at a terminal", async () => {
    expect((await runInteractive("embed -m a/embed hi")).err).toBe("3 dimensions, 5 tokens\n");
  });

  test("feather embed prints the beginning of a long vector at a terminal, and all of it in a pipe", async () => {
    const { out, err } = await runInteractive("embed -m a/long hi");
    expect(out).toBe("[0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,…]\n");
    expect(err).toBe("1024 dimensions, 5 tokens\nAll of them come in a pipe, or with --json.\n");
    expect(JSON.parse((await run("embed -m a/long hi")).out)).toHaveLength(1024);
  });

  test.each([
    ["embed hi", "feather models list --search embedding"],
    ["embed -m a/embed", "there is no text"],
    ["embed -m a/embed --dimensions 0 hi", "between 1 and 100000"],
  ])("%s is rejected and sends nothing", async (line, message) => {
    const { code, out, err } = await run(line);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(message)]);
    expect(requests()).toEqual([]);
  });
});
