/** The keys of a conversation at a real terminal, against a stub whose answers the test sends. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildModel } from "@feather/testing/builders";
import { formatChunk, formatEvent, formatUsage } from "@feather/testing/chat-events";
import { type StubServer, startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FEATHER } from "../support/cli.ts";
import { openTerminal } from "../support/pseudo-terminal.ts";

const home = mkdtempSync(join(tmpdir(), "feather-chat-keys-"));
const CTRL_A = "\u0001";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const CTRL_L = "\u000c";
const CTRL_R = "\u0012";
const CTRL_W = "\u0017";
const CTRL_Y = "\u0019";
const CTRL_Z = "\u001a";
const CTRL_X_CTRL_E = "\u0018\u0005";
const CTRL_LEFT = "\u001b[1;5D";
const CTRL_RIGHT = "\u001b[1;5C";
const ALT_B = "\u001bb";
const ALT_F = "\u001bf";
const ALT_ENTER = "\u001b\r";
const UP = "\u001b[A";
const DOWN = "\u001b[B";
const open: ReturnType<typeof openTerminal>[] = [];
let server: StubServer;
let answer: () => Response;

/** An answer whose parts the test sends. */
function createAnswer() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  answer = () => new Response(readable, { headers: { "content-type": "text/event-stream" } });
  const send = (text: string) => writer.write(new TextEncoder().encode(text));
  return {
    send,
    async end(text: string) {
      await send(`${formatChunk({ content: text })}${formatChunk({}, "stop")}${USAGE}${formatEvent("[DONE]")}`);
      await writer.close();
    },
  };
}
const USAGE = formatUsage({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 });

beforeAll(async () => {
  server = await startStubServer({
    "GET /feather/models/a%2Fb": () => ({ body: buildModel({ id: "a/b" }) }),
    "GET /v1/plan": () => ({ body: { id: "max", name: "Max", concurrency: 8 } }),
    "POST /v1/chat/completions": () => answer(),
  });
});
beforeEach(() => {
  const body = `${formatChunk({ content: "Mostly air." })}${formatChunk({}, "stop")}${USAGE}${formatEvent("[DONE]")}`;
  answer = () => new Response(body, { headers: { "content-type": "text/event-stream" } });
  server.requests.length = 0;
});
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});
afterAll(async () => {
  await server.close();
  // A program that was just ended may still write its cache.
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const environment = () => ({
  HOME: home,
  FEATHER_CONFIG_DIR: mkdtempSync(join(home, "config-")),
  FEATHER_BASE_URL: server.baseUrl,
  FEATHER_API_KEY: "rc_key",
});
type Settings = { readonly env?: Record<string, string>; readonly columns?: number };

/** Opens a conversation, and waits until it reads keys. */
async function chat({ env = {}, columns = 80 }: Settings = {}) {
  const terminal = openTerminal(process.execPath, [FEATHER, "chat", "-m", "a/b"], {
    columns,
    env: { ...environment(), ...env },
  });
  open.push(terminal);
  await terminal.waitForText("/help for commands");
  await terminal.waitForText("›");
  return terminal;
}
/** Returns the prompts that were sent, in order. */
const prompts = () =>
  server.requests
    .filter(({ url }) => url.endsWith("/chat/completions"))
    .map(({ body }) => (body as { messages: { content: string }[] }).messages.at(-1)?.content);
/** Types keys, one after the other, and then text, which is waited for. */
async function type(terminal: ReturnType<typeof openTerminal>, keys: readonly string[], shown: string) {
  for (const key of keys) terminal.typeKeys(key);
  await terminal.waitForText(shown);
}

describe("editing", () => {
  test.each([
    ["Ctrl-left moves by words", [CTRL_LEFT, CTRL_LEFT, "X"], "hello Xwonderful world"],
    ["Ctrl-right moves by words", [CTRL_A, CTRL_RIGHT, "X"], "helloX wonderful world"],
    ["Alt-b moves by words", [ALT_B, ALT_B, "X"], "hello Xwonderful world"],
    ["Alt-f moves by words", [CTRL_A, ALT_F, "X"], "helloX wonderful world"],
    ["Ctrl-Y brings back what Ctrl-W cut", [CTRL_W, CTRL_A, CTRL_Y], "worldhello wonderful"],
  ])("%s", async (_, keys, expected) => {
    const terminal = await chat();
    await type(terminal, ["hello wonderful world"], "hello wonderful world");
    await type(terminal, keys, `› ${expected}`);
  });

  test("Alt-Enter starts a new line, and Enter sends both", async () => {
    const terminal = await chat();
    await type(terminal, ["why?"], "› why?");
    await type(terminal, [ALT_ENTER, "how?"], "› why?\n  how?");
    await type(terminal, ["\r"], "Mostly air.");
    expect(prompts()).toEqual(["why?\nhow?"]);
  });

  test("Ctrl-R searches earlier prompts", async () => {
    const terminal = await chat();
    await type(terminal, ["why feathers?", "\r"], "first after");
    await type(terminal, [CTRL_R, "fea"], "search: fea");
    await expect.poll(terminal.screen).toMatch(/› why feathers\? *\n +search: fea/);
  });

  test("Ctrl-L clears the screen, and keeps what is typed", async () => {
    const terminal = await chat();
    await type(terminal, ["why?", "\r"], "first after");
    await type(terminal, ["half a thought"], "› half a thought");
    terminal.typeKeys(CTRL_L);
    await expect.poll(() => terminal.screen()).not.toContain("Mostly air.");
    expect(terminal.screen()).toContain("› half a thought");
  });

  test("the draft returns after looking at earlier prompts", async () => {
    const terminal = await chat();
    await type(terminal, ["why?", "\r"], "first after");
    await type(terminal, ["half a thought"], "› half a thought");
    terminal.typeKeys(UP);
    await expect.poll(terminal.screen).not.toContain("half a thought");
    await type(terminal, [DOWN], "› half a thought");
  });

  test("Tab completes a command and the name of a file", async () => {
    const file = join(mkdtempSync(join(home, "files-")), "notes.txt");
    writeFileSync(file, "light");
    const terminal = await chat({ columns: 160 });
    await type(terminal, ["/fi", "\t"], "› /file");
    await type(terminal, [file.slice(0, -6), "\t"], `› /file ${file}`);
    await type(terminal, ["\r"], "goes with the next prompt.");
  });

  test("Ctrl-X Ctrl-E opens the prompt in the editor, and shows the conversation again", async () => {
    const editor = join(home, "editor.sh");
    // Two programs that read one terminal would share its keys by chance, so the editor reads many lines.
    const lines = 50;
    const script = `#!/bin/sh
printf "EDITING "; cat "$1"
for line in $(seq ${lines}); do read answer; echo "READ $line"; done
printf " $answer" >> "$1"
`;
    writeFileSync(editor, script);
    chmodSync(editor, 0o755);
    const terminal = await chat({ env: { EDITOR: editor } });
    await type(terminal, ["why"], "› why");
    await type(terminal, [CTRL_X_CTRL_E], "EDITING why");
    for (let line = 1; line < lines; line++) await type(terminal, ["light\r"], `READ ${line}`);
    await type(terminal, ["feathers?\r"], "› why feathers?");
    await type(terminal, ["\r"], "Mostly air.");
    expect(prompts()).toEqual(["why feathers?"]);
  });

  test("Ctrl-Z suspends for the shell, and fg brings the conversation back", async () => {
    const terminal = openTerminal("bash", ["--norc", "-i"], {
      env: { ...environment(), PS1: "shell$ ", feather: `${process.execPath} ${FEATHER}` },
    });
    open.push(terminal);
    await terminal.waitForText("shell$");
    terminal.typeKeys("$feather chat -m a/b\r");
    await terminal.waitForText("/help for commands");
    await type(terminal, ["half a thought"], "› half a thought");
    terminal.typeKeys(CTRL_Z);
    await terminal.waitForText("Stopped");
    terminal.typeKeys("echo at the $((40+2))\r");
    await terminal.waitForText("at the 42");
    terminal.typeKeys("fg\r");
    await expect.poll(() => terminal.screen().split("at the 42")[1]).toContain("› half a thought");
    await type(terminal, [" more"], "› half a thought more");
    terminal.typeKeys(CTRL_C);
    terminal.typeKeys(CTRL_D);
    await expect.poll(() => terminal.screen().trimEnd().split("\n").at(-1)).toBe("shell$");
  });
});

describe("pasting", () => {
  test("keeps tabs and lines of a bracketed paste", async () => {
    const terminal = await chat();
    terminal.typeKeys("\u001b[200~all:\r\tgo build\rlast\u001b[201~");
    await terminal.waitForText("last");
    await type(terminal, ["\r"], "Mostly air.");
    expect(prompts()).toEqual(["all:\n\tgo build\nlast"]);
  });

  test("keeps all lines of a paste without brackets", async () => {
    const terminal = await chat();
    terminal.typeKeys("first\rsecond\rlast");
    await terminal.waitForText("last");
    await type(terminal, ["\r"], "Mostly air.");
    expect(prompts()).toEqual(["first\nsecond\nlast"]);
  });

  test("a prompt that wraps keeps the space after its sign", async () => {
    const terminal = await chat({ columns: 60 });
    await type(terminal, ["a".repeat(90)], `› ${"a".repeat(58)}\n  ${"a".repeat(32)}`);
  });
});

describe("while an answer is streamed", () => {
  test("shows what the model thinks, and takes the next prompt, which goes afterwards", async () => {
    const { send, end } = createAnswer();
    const terminal = await chat();
    terminal.typeKeys("why?\r");
    await expect.poll(prompts).toEqual(["why?"]);
    await send(formatChunk({ reasoning_content: "Birds are warm." }));
    await terminal.waitForText("Birds are warm.");
    await type(terminal, ["and how?", "\r"], "goes when the answer is complete");
    await end("Mostly air.");
    await expect.poll(prompts).toEqual(["why?", "and how?"]);
  });

  test("an answer that the backend breaks off ends with what the server says of it", async () => {
    const { send } = createAnswer();
    const terminal = await chat();
    terminal.typeKeys("why?\r");
    await expect.poll(prompts).toEqual(["why?"]);
    const message = "The backend broke off before its answer was complete.";
    await send(formatChunk({ content: "Mostly" }) + formatEvent({ error: { message, code: "upstream_error" } }));
    await terminal.waitForText(message);
    expect(terminal.text()).toContain("Mostly");
    expect(terminal.text()).not.toContain("web page");
  });
});

test("a single answer that has not begun says what is waited for", async () => {
  const { end } = createAnswer();
  const terminal = openTerminal(process.execPath, [FEATHER, "chat", "-m", "a/b", "why?"], { env: environment() });
  open.push(terminal);
  await terminal.waitForText("Waiting for the first token, 1 s");
  await end("Mostly air.");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.text()).toMatch(/^Mostly air\./);
});

test("/save says that the file of somebody else exists already", async () => {
  const file = join(home, "mine.md");
  writeFileSync(file, "mine");
  const terminal = await chat({ columns: 160 });
  await type(terminal, [`/save ${file}`, "\r"], `${file} exists already`);
  expect(terminal.text()).not.toContain("EEXIST");
});

test("a sentence that begins like a path is a prompt", async () => {
  const terminal = await chat();
  await type(terminal, ["/etc is a folder?", "\r"], "Mostly air.");
  expect(prompts()).toEqual(["/etc is a folder?"]);
});
