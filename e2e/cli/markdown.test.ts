/** How answers look at a real terminal. The model is a stub, because the demonstration model writes no Markdown. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { buildModel } from "@feather/testing/builders";
import { streamedResponse } from "@feather/testing/stub";
import { type StubServer, startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openTerminal } from "../support/pseudo-terminal.ts";

const BIN = join(import.meta.dirname, "../../packages/cli/bin/feather.js");
const CTRL_D = "\u0004";
const CODE = `const feather = "${"light ".repeat(20)}";`;
const ANSWER = `Mostly trapped air keeps birds and people warm.\n\n\`\`\`ts\n${CODE}\n\`\`\`\n\n| Bird | Weight |\n|---|---:|\n| wren | 9 g |\n\n> A quote.\n`;
const home = mkdtempSync(join(tmpdir(), "feather-markdown-"));
const open: ReturnType<typeof openTerminal>[] = [];
let server: StubServer;

beforeAll(async () => {
  server = await startStubServer({
    "GET /feather/models/a%2Fb": () => ({ body: buildModel({ id: "a/b" }) }),
    "GET /v1/plan": () => ({ body: { id: "max", name: "Max", concurrency: 8 } }),
    "POST /v1/chat/completions": () => streamedResponse(ANSWER.split(/(?<= )/)),
  });
});
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

function chat(...argv: string[]) {
  const terminal = openTerminal(process.execPath, [BIN, "chat", "-m", "a/b", ...argv], {
    columns: 40,
    env: { HOME: home, FEATHER_CONFIG_DIR: home, FEATHER_BASE_URL: server.baseUrl, FEATHER_API_KEY: "rc_key" },
  });
  open.push(terminal);
  return terminal;
}

/** Checks the prose, the code, the table and the quote of the answer. */
function expectRendered(terminal: ReturnType<typeof openTerminal>): void {
  const written = stripVTControlCharacters(terminal.raw()).replaceAll("\r", "");
  // The program breaks no line of code: the terminal does, which copies it in one piece.
  expect(written).toContain(CODE);
  expect(terminal.text()).toContain("Mostly trapped air keeps birds and\npeople warm.");
  expect(terminal.text()).toContain("Bird  Weight\n────  ──────\nwren     9 g");
  expect(terminal.text()).toContain("│ A quote.");
  // Blue can hardly be read on black.
  expect(terminal.raw()).not.toMatch(new RegExp(`${"\u001b"}\\[(?:\\d+;)*34m`));
}

test("a single answer is rendered as Markdown, with lines of code in one piece", async () => {
  const terminal = chat("why?");
  expect(await terminal.ended()).toBe(0);
  expectRendered(terminal);
});

test("an answer of a conversation is rendered as Markdown, with lines of code in one piece", async () => {
  const terminal = chat();
  await terminal.waitForText("›");
  terminal.typeKeys("why?\r");
  await terminal.waitForText("│ A quote.");
  await terminal.waitForText("tokens");
  terminal.typeKeys(CTRL_D);
  expect(await terminal.ended()).toBe(0);
  expectRendered(terminal);
});
