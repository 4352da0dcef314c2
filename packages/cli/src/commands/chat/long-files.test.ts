import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildModel } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { streamedResponse } from "@feather/testing/stub";
import { afterAll, beforeEach, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-long-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const save = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
/** More than the 40,960 tokens that the model takes. */
const LONG_TEXT = "Nothing is said here. ".repeat(10_000);
const LONG = save("manual.txt", LONG_TEXT);
const SHORT = save("short.txt", "All of this.");
const HIT = {
  ...{ document: 0, document_name: "manual.txt", number: 17, page: null, start: 0, end: 9, score: 0.03 },
  ...{ text: "Dogs sleep in the shed.", rank_by_words: 1, rank_by_meaning: null },
};
const PROBLEM = "Searched by words alone, since no model for embeddings can be called now.";
const state = { context: 40_960 as number | null, effective: null as number | null, isBusy: false };
beforeEach(() => Object.assign(state, { context: 40_960, effective: null, isBusy: false }));

const { run, requests } = setupCli({
  "GET /feather/models/acme%2Fa": () => {
    const model = buildModel({ id: "acme/a", context_length: state.context });
    const access = { ...model.access, effective_context_length: state.effective ?? state.context };
    return { body: { ...model, access } };
  },
  "GET /feather/models/fast": () => errorResponse(404, "model_not_found", "There is no such model."),
  "POST /v1/documents/passages": ({ body }) => {
    const { documents } = body as { documents: { name: string }[] };
    if (state.isBusy) return errorResponse(429, "parsing.busy", "Too many texts wait.");
    return {
      body: {
        items: [HIT],
        documents: documents.map(({ name }) => ({ name, passages: 240 })),
        compared_by: "words",
        problems: [PROBLEM],
      },
    };
  },
  "POST /v1/chat/completions": () => streamedResponse(["In the shed [1]."]),
});
const sentTo = (end: string) => requests().filter(({ path }) => path.endsWith(end));
const prompts = () =>
  sentTo("/chat/completions").map(
    ({ body }) => (body as { messages: { content: string }[] }).messages.at(-1)?.content ?? "",
  );
const ask = (...args: string[]) => run(["chat", "-m", "acme/a", ...args]);

test("of a file that is too long for the model the passages that go with the question are sent, and cited", async () => {
  const { code, out, err } = await ask("-f", LONG, "-f", SHORT, "Where do dogs sleep?");
  expect([code, out]).toEqual([0, "In the shed [1].\n"]);
  expect(sentTo("/documents/passages")[0]?.body).toMatchObject({
    documents: [{ name: "manual.txt", has_pages: false }],
    query: "Where do dogs sleep?",
    limit: 12,
  });
  const [prompt] = prompts();
  expect(prompt).toContain("Dogs sleep in the shed.");
  expect(prompt).toContain("All of this.");
  expect(prompt).toContain("manual.txt: too long, see its passages");
  expect(prompt).not.toContain("Nothing is said here.");
  expect(err).toContain("1 of 240 passages were sent of manual.txt, too long for acme/a.");
  expect(err).toContain(PROBLEM);
  expect(err).toContain("[1] manual.txt");
});

test("the context that the plan allows counts, not the larger one of the model", async () => {
  Object.assign(state, { context: 1_000_000, effective: 8_192 });
  await ask("-f", LONG, "Where do dogs sleep?");
  expect(sentTo("/documents/passages")).toHaveLength(1);
});

test("a long file goes whole to a name that stands for several models, whose context is not known", async () => {
  const { code } = await run(["chat", "-m", "fast", "-f", LONG, "Where do dogs sleep?"]);
  expect([code, sentTo("/documents/passages")]).toEqual([0, []]);
  expect(prompts()[0]).toContain(LONG_TEXT.trim());
});

test("a text on stdin that is too long is searched too", async () => {
  await run(["chat", "-m", "acme/a", "Where do dogs sleep?"], { stdin: LONG_TEXT });
  expect(sentTo("/documents/passages")[0]?.body).toMatchObject({ documents: [{ name: "stdin" }] });
});

test.each([
  ["files that fit", [SHORT], "Why?", 40_960],
  ["files without a question", [LONG], "", 40_960],
  ["files for a model whose context is not known", [LONG], "Why?", null],
])("%s go whole", async (_what, files, question, context) => {
  state.context = context;
  await ask(...files.flatMap((path) => ["-f", path]), ...(question === "" ? [] : [question]));
  expect(sentTo("/documents/passages")).toEqual([]);
  expect(prompts()[0]).toMatch(/Nothing is said here|All of this/);
});

test("no model is called when the search fails", async () => {
  state.isBusy = true;
  const { code, err } = await ask("-f", LONG, "Where do dogs sleep?");
  expect(code).not.toBe(0);
  expect(err).toContain("Too many texts wait.");
  expect(prompts()).toEqual([]);
});

test("more long files than are searched are refused, with another way", async () => {
  const files = Array.from({ length: 9 }, (_, index) => save(`long-${index}.txt`, LONG_TEXT));
  const { code, err } = await ask(...files.flatMap((path) => ["-f", path]), "Why?");
  expect(code).toBe(2);
  expect(err).toContain("9 files are too long for acme/a, and passages of at most 8 are sent");
  expect(err).toContain("feather collections create");
});
