import { describe, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const RESULTS = [
  { index: 1, relevance_score: 0.98765 },
  { index: 0, relevance_score: -3 },
];
const { run, runInteractive, requests } = setupCli({
  "POST /v1/rerank": ({ body }) => {
    const { model, top_n: top } = body as { model: string; top_n?: number };
    const usage = { prompt_tokens: 24, total_tokens: 24 };
    return { body: { id: "req_1", object: "list", model, results: RESULTS.slice(0, top), usage } };
  },
});

describe("feather rerank", () => {
  test("feather rerank prints the texts after their scores, the best first", async () => {
    const { code, out, err } = await run(["rerank", "-m", "a/rank", "a query", "stones", "feathers"]);
    expect([code, out, err]).toEqual([0, "0.988\tfeathers\n-3.00\tstones\n", ""]);
    expect(requests()[0]?.body).toEqual({ model: "a/rank", query: "a query", documents: ["stones", "feathers"] });
  });

  test("feather rerank reads the texts from the lines of stdin", async () => {
    const { out } = await run(["rerank", "-m", "a/rank", "--top", "1", "--queue", "30", "a query"], {
      stdin: "stones\n\nfeathers\n",
    });
    expect(out).toBe("0.988\tfeathers\n");
    expect(requests()[0]).toMatchObject({
      body: { query: "a query", documents: ["stones", "feathers"], top_n: 1 },
      headers: { "x-queue-timeout": "30" },
    });
  });

  test("feather rerank prints the whole response with --json, and what jq makes of it", async () => {
    const call = ["rerank", "-m", "a/rank", "q", "stones", "feathers"];
    expect(JSON.parse((await run([...call, "--json"])).out)).toMatchObject({ model: "a/rank", results: RESULTS });
    expect((await run([...call, "--jq", ".results[0].index"])).out).toBe("1\n");
  });

  test("feather rerank says at a terminal how many tokens it took", async () => {
    expect((await runInteractive("rerank -m a/rank q a b")).err).toBe("24 tokens\n");
  });

  test.each([
    ["rerank q a", "feather models list --search rerank"],
    ["rerank -m a/rank q", "there are no texts"],
    ["rerank -m a/rank --top 0 q a", "between 1 and 1000"],
    ["rerank -m a/rank", "query"],
  ])("%s is rejected and sends nothing", async (line, message) => {
    const { code, out, err } = await run(line);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(message)]);
    expect(requests()).toEqual([]);
  });
});
