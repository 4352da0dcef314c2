import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildModel } from "@feather/testing/builders";
import { streamedResponse } from "@feather/testing/stub";
import { afterAll, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-documents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const save = (name: string, content: string | Buffer) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const PDF = "%PDF-1.7 of plain characters";
const REPORT = save("report.pdf", PDF);
const SHEET = save("costs.xlsx", Buffer.from([0x50, 0x4b, 3, 4, 0xff]));
const ODD = save("odd.pdf", "%PDF-odd");
const LONG = save("long.pdf", "%PDF-long");

const TEXT = {
  type: "application/pdf",
  text: "What it says.",
  pages: 2,
  pages_read: 2,
  characters: 13,
  tokens: 4,
  cut_at: null,
};
const { run, requests } = setupCli({
  "GET /feather/models/acme%2Fa": () => ({ body: buildModel({ id: "acme/a" }) }),
  "POST /v1/documents/text": ({ body }) => {
    const [, name = ""] = /filename="([^"]*)"/.exec(String(body)) ?? [];
    if (name === "odd.pdf")
      return {
        status: 400,
        body: {
          error: { message: "odd.pdf cannot be read: the file is damaged.", code: "documents.damaged", type: "x" },
        },
      };
    const cut = name === "long.pdf" ? { pages: 900, pages_read: 500, cut_at: "pages" } : {};
    return { body: { ...TEXT, name, ...cut } };
  },
  "POST /v1/chat/completions": () => streamedResponse(["Fine."]),
});
const prompts = () =>
  requests()
    .filter(({ path }) => path.endsWith("/chat/completions"))
    .map(({ body }) => (body as { messages: { content: string }[] }).messages.at(-1)?.content);
const readNames = () =>
  requests().flatMap(({ path, body }) =>
    path.endsWith("/documents/text") ? [/filename="([^"]*)"/.exec(String(body))?.[1]] : [],
  );

test("documents are read by the server in turn, and go before the prompt with their names", async () => {
  const { code, out } = await run(["chat", "-m", "acme/a", "--file", REPORT, "-f", SHEET, "Risks?"]);
  expect([code, out]).toEqual([0, "Fine.\n"]);
  expect(readNames()).toEqual(["report.pdf", "costs.xlsx"]);
  expect(prompts()).toEqual(["report.pdf:\n```\nWhat it says.\n```\n\ncosts.xlsx:\n```\nWhat it says.\n```\n\nRisks?"]);
});

test.each([
  ["a PDF", PDF],
  ["a document of other bytes", Buffer.from([0x50, 0x4b, 3, 4, 0xff])],
])("%s on stdin is read by the server", async (_what, stdin) => {
  await run(["chat", "-m", "acme/a", "Risks?"], { stdin });
  expect(readNames()).toEqual(["stdin"]);
  expect(prompts()).toEqual(["stdin:\n```\nWhat it says.\n```\n\nRisks?"]);
});

test("texts are not sent to be read", async () => {
  await run(["chat", "-m", "acme/a", "-f", save("notes.md", "# Größe"), "Risks?"], { stdin: "piped\n" });
  expect(readNames()).toEqual([]);
  expect(prompts()).toEqual(["notes.md:\n```\n# Größe\n```\n\npiped\n\nRisks?"]);
});

test("a document that was cut says so in the prompt", async () => {
  await run(["chat", "-m", "acme/a", "-f", LONG, "Risks?"]);
  expect(prompts()[0]).toContain("long.pdf (500 of 900 pages, cut):\n");
});

test("a document that cannot be read is refused in words, and no model is asked", async () => {
  const { code, err } = await run(["chat", "-m", "acme/a", "-f", ODD, "Risks?"]);
  expect(code).not.toBe(0);
  expect(err).toContain("odd.pdf cannot be read: the file is damaged.");
  expect(prompts()).toEqual([]);
});
