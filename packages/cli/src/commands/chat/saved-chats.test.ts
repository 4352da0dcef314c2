import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";
import { createChatSaver, readLastChat, rememberLastChat } from "./saved-chats.ts";
import { formatTranscript, parseTranscript } from "./transcript.ts";

const TRANSCRIPT = {
  model: "acme/one",
  system: "Be brief.",
  messages: [
    { role: "user", content: "Why?" },
    { role: "assistant", content: "Because." },
  ],
} as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feather-chats-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("saving a conversation", () => {
  test("a second time without a name replaces its own file", async () => {
    const saved: string[] = [];
    const save = createChatSaver(undefined, folder, (path) => saved.push(path));
    const path = join(folder, "notes.md");
    expect([await save(path, "one"), await save(null, "two"), await save(path, "three")]).toEqual([path, path, path]);
    expect(readFileSync(path, "utf8")).toBe("three");
    expect(saved).toEqual([path, path, path]);
  });

  test("never replaces the file of something else, and says what to do", async () => {
    const path = join(folder, "taken.md");
    writeFileSync(path, "mine");
    const save = createChatSaver(undefined, folder, () => {});
    await expect(save(path, "new")).rejects.toThrow(`${path} exists already`);
    await expect(save(path, "new")).rejects.toMatchObject({ hint: expect.stringContaining("/save") });
    expect(readFileSync(path, "utf8")).toBe("mine");
  });

  test("without a name takes one that is free", async () => {
    writeFileSync(join(folder, "feather-chat.md"), "mine");
    const saveNew = (text: string) => createChatSaver(undefined, folder, () => {})(null, text);
    expect(await saveNew("a")).toBe(join(folder, "feather-chat-2.md"));
    expect(await saveNew("b")).toBe(join(folder, "feather-chat-3.md"));
  });

  test("says why a file cannot be written", async () => {
    const save = createChatSaver(undefined, folder, () => {});
    await expect(save(join(folder, "no", "such.md"), "a")).rejects.toThrow("cannot be written (ENOENT)");
  });
});

describe("the last saved conversation", () => {
  test("is found by the path that was remembered", async () => {
    const path = join(folder, "chat.md");
    writeFileSync(path, formatTranscript(TRANSCRIPT));
    rememberLastChat(join(folder, "config"), path);
    expect(await readLastChat(join(folder, "config"))).toEqual({ path, transcript: TRANSCRIPT });
  });

  test("is missed with what to do", async () => {
    await expect(readLastChat(folder)).rejects.toThrow("no conversation was saved yet");
    rememberLastChat(folder, join(folder, "gone.md"));
    await expect(readLastChat(folder)).rejects.toThrow("cannot be read (ENOENT)");
    writeFileSync(join(folder, "gone.md"), "# Notes");
    await expect(readLastChat(folder)).rejects.toThrow("holds no conversation");
  });
});

describe("feather chat --continue", () => {
  const { run, requests } = setupCli({
    "POST /v1/chat/completions": () => ({
      body: { choices: [{ message: { role: "assistant", content: "Really." }, finish_reason: "stop" }] },
    }),
  });
  const chat = (line: string) =>
    run(`chat --no-stream ${line}`, { env: { FEATHER_CONFIG_DIR: join(folder, "config") } });

  test("sends the conversation with the prompt, and adds the exchange to its file", async () => {
    const path = join(folder, "chat.md");
    writeFileSync(path, formatTranscript(TRANSCRIPT));
    rememberLastChat(join(folder, "config"), path);
    const { code, out } = await chat("--continue Really?");
    expect([code, out]).toEqual([0, "Really.\n"]);
    expect(requests()[0]?.body).toMatchObject({
      model: "acme/one",
      messages: [
        { role: "system", content: "Be brief." },
        ...TRANSCRIPT.messages,
        { role: "user", content: "Really?" },
      ],
    });
    expect(parseTranscript(readFileSync(path, "utf8"))?.messages).toEqual([
      ...TRANSCRIPT.messages,
      { role: "user", content: "Really?" },
      { role: "assistant", content: "Really." },
    ]);
  });

  test("without a saved conversation says how to save one, and sends nothing", async () => {
    const { code, err } = await chat("-c Really?");
    expect([code, err]).toEqual([2, expect.stringContaining("/save")]);
    expect(requests()).toEqual([]);
  });
});
