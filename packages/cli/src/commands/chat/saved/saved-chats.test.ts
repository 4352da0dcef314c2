import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { formatTranscript, parseTranscript } from "../../../chat/transcript.ts";
import { NOW } from "../../../testing/run-cli.ts";
import { setupCli } from "../../../testing/setup-cli.ts";
import { buildOrganization } from "../../../testing/stored-chats.ts";
import { keepLastChat, readLastChat } from "./last-chat.ts";
import { createChatSaver } from "./saved-chats.ts";

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
  test("saving a conversation a second time without a name replaces its own file", async () => {
    const saved: string[] = [];
    const save = createChatSaver(undefined, folder, (path) => saved.push(path));
    const path = join(folder, "notes.md");
    expect([await save(path, "one"), await save(null, "two"), await save(path, "three")]).toEqual([path, path, path]);
    expect(readFileSync(path, "utf8")).toBe("three");
    expect(saved).toEqual([path, path, path]);
  });

  test("saving a conversation never replaces the file of something else, and says what to do", async () => {
    const path = join(folder, "taken.md");
    writeFileSync(path, "mine");
    const save = createChatSaver(undefined, folder, () => {});
    await expect(save(path, "new")).rejects.toThrow(`${path} exists already`);
    await expect(save(path, "new")).rejects.toMatchObject({ hint: expect.stringContaining("/save") });
    expect(readFileSync(path, "utf8")).toBe("mine");
  });

  test("saving a conversation without a name takes one that is free", async () => {
    writeFileSync(join(folder, "feather-chat.md"), "mine");
    const saveNew = (text: string) => createChatSaver(undefined, folder, () => {})(null, text);
    expect(await saveNew("a")).toBe(join(folder, "feather-chat-2.md"));
    expect(await saveNew("b")).toBe(join(folder, "feather-chat-3.md"));
  });

  test("saving a conversation says why a file cannot be written", async () => {
    const save = createChatSaver(undefined, folder, () => {});
    await expect(save(join(folder, "no", "such.md"), "a")).rejects.toThrow("cannot be written (ENOENT)");
  });
});

describe("the last conversation", () => {
  const KEPT = { transcript: TRANSCRIPT, path: null, keptAt: new Date("2026-11-21T11:00:00Z") };

  test("the last conversation is kept for its owner only, with pictures as their names", () => {
    const dir = join(folder, "config");
    const picture = { name: "bird.png", url: "data:image/png;base64,x" };
    const messages = [{ role: "user", content: "Which?", pictures: [picture] }, TRANSCRIPT.messages[1]] as const;
    keepLastChat(dir, { ...KEPT, transcript: { ...TRANSCRIPT, messages } });
    expect(statSync(join(dir, "last-chat.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(["last-chat.json"]);
    expect(readLastChat(dir).transcript.messages[0]).toEqual({ role: "user", content: "Which?\n\nPicture: bird.png" });
  });

  test("the last conversation is read as it was kept", () => {
    keepLastChat(folder, KEPT);
    expect(readLastChat(folder)).toEqual(KEPT);
  });

  test("the last conversation is read from the file that it was saved to if that was changed since", () => {
    const path = join(folder, "chat.md");
    const longer = { ...TRANSCRIPT, system: "Be long." };
    writeFileSync(path, formatTranscript(longer));
    keepLastChat(folder, { ...KEPT, path });
    utimesSync(path, new Date(), new Date(Date.now() - 60_000));
    expect(readLastChat(folder).transcript).toEqual(TRANSCRIPT);
    utimesSync(path, new Date(), new Date(Date.now() + 60_000));
    expect(readLastChat(folder).transcript).toEqual(longer);
  });

  test.each([undefined, "", "{", "[]", '{"model":"a/b","messages":[],"kept_at":"2026-11-21T11:00:00Z"}'])(
    "the last conversation is missed with what to do where the file holds %j",
    (text) => {
      if (text !== undefined) writeFileSync(join(folder, "last-chat.json"), text);
      expect(() => readLastChat(folder)).toThrow("there is no conversation to go on with");
    },
  );
});

describe("feather chat --continue", () => {
  const { run, requests } = setupCli({
    "GET /organization": () => ({ body: buildOrganization("browser") }),
    "POST /v1/chat/completions": () => ({
      body: { choices: [{ message: { role: "assistant", content: "Really." }, finish_reason: "stop" }] },
    }),
  });
  const config = () => join(folder, "config");
  const chat = (line: string, env: Record<string, string> = {}) =>
    run(`chat --no-stream ${line}`, { env: { FEATHER_CONFIG_DIR: config(), ...env } });
  const calls = () => requests().filter(({ method }) => method === "POST");
  const sentMessages = () => calls().map(({ body }) => (body as { messages: object[] }).messages);

  test("feather chat --continue goes on with the last conversation, whether it was saved or not, and says which on stderr", async () => {
    await chat("-m acme/one First");
    const { code, out, err } = await chat("-c Second");
    expect([code, out]).toEqual([0, "Really.\n"]);
    expect(err).toContain("Goes on with “First”, 2 messages, just now.");
    const [, second] = sentMessages();
    expect(second).toEqual([
      { role: "user", content: "First" },
      { role: "assistant", content: "Really." },
      { role: "user", content: "Second" },
    ]);
    await chat("-c Third");
    expect(sentMessages()[2]).toHaveLength(5);
  });

  test("feather chat --continue does not go back to a conversation that was saved before the last one", async () => {
    const path = join(folder, "chat.md");
    writeFileSync(path, formatTranscript(TRANSCRIPT));
    keepLastChat(config(), { transcript: TRANSCRIPT, path, keptAt: NOW });
    await chat("-m acme/two First");
    await chat("-c Second");
    expect(sentMessages()[1]?.[0]).toEqual({ role: "user", content: "First" });
    expect(readFileSync(path, "utf8")).toBe(formatTranscript(TRANSCRIPT));
  });

  test("feather chat --continue adds the exchange to the file of a saved conversation", async () => {
    const path = join(folder, "chat.md");
    writeFileSync(path, formatTranscript(TRANSCRIPT));
    keepLastChat(config(), { transcript: TRANSCRIPT, path, keptAt: new Date(NOW.getTime() - 3 * 86_400_000) });
    const { err } = await chat("--continue Really?");
    expect(err).toContain(`Goes on with ${path}, 2 messages, 3 days ago.`);
    expect(calls()[0]?.body).toMatchObject({
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

  test("feather chat --continue finds nothing to go on with where FEATHER_NO_HISTORY keeps nothing, and sends nothing", async () => {
    await chat("-m acme/one First", { FEATHER_NO_HISTORY: "1" });
    const { code, err } = await chat("-c Second");
    expect([code, err]).toEqual([2, expect.stringContaining("there is no conversation to go on with")]);
    expect(calls()).toHaveLength(1);
  });
});
