import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NOW } from "../../../testing/run-cli.ts";
import { setupCli } from "../../../testing/setup-cli.ts";
import { buildOrganization, storedAnswer, storedConversation, storedQuestion } from "../../../testing/stored-chats.ts";
import { keepLastChat, readLastChat } from "./last-chat.ts";

const ID = "6f1c2a34-9d0e-4b7a-8c55-2f1e0a9b3c4d";
const conversation = storedConversation(ID, { settings: { system: "Be brief." }, version: 3 });
const file = { id: "f1", kind: "text", name: "a.md", type: "text/markdown", size: 1, data: "Inside." };
const picture = {
  id: "f2",
  kind: "image",
  name: "a.png",
  type: "image/png",
  size: 1,
  data: "data:image/png;base64,YQ==",
};
const ENTRIES = [
  storedQuestion("q1", 0, [], "Why?", { attachments: [file, picture] }),
  storedAnswer("a1", 1, "q1", "Because."),
  storedQuestion("q2", 2, ["a1"], "Asked in vain"),
  storedAnswer("a2", 3, "q2", "", { state: "failed" }),
];
let storage: string;
let conflicts: number;
let listed: object[];
let puts: (() => unknown) | null;
let folder: string;
beforeEach(() => {
  [storage, conflicts, listed, puts] = ["server", 0, [conversation], null];
  folder = mkdtempSync(join(tmpdir(), "feather-chats-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { run, requests } = setupCli({
  "POST /v1/chat/completions": () => ({
    body: { choices: [{ message: { role: "assistant", content: "Really." }, finish_reason: "stop" }] },
  }),
  "GET /organization": () =>
    storage === "denied"
      ? errorResponse(403, "key_scope_denied", "This credential lacks the scope user.read.")
      : { body: buildOrganization(storage) },
  "GET /conversations": () => ({ body: buildPage(listed) }),
  [`GET /conversations/${ID}`]: () => ({ body: conversation }),
  [`GET /conversations/${ID}/entries`]: () => ({ body: { items: ENTRIES, next_after: null } }),
  "GET /conversations/unanswered/entries": () => ({ body: { items: [], next_after: null } }),
  [`PUT /conversations/${ID}/entries`]: () => (puts?.() as undefined) ?? { status: 204 },
  [`PUT /conversations/${ID}`]: () =>
    conflicts-- > 0
      ? errorResponse(409, "conversations.changed", "The conversation was changed meanwhile.")
      : { body: conversation },
});
const chat = (line: string) => run(`chat --no-stream ${line}`, { env: { FEATHER_CONFIG_DIR: folder } });
const sent = (method: string, end: string) =>
  requests().filter((one) => one.method === method && one.path.endsWith(end));
const keepLocal = (keptAt: Date) =>
  keepLastChat(folder, {
    transcript: {
      model: "acme/two",
      system: undefined,
      messages: [
        { role: "user", content: "Here" },
        { role: "assistant", content: "Yes." },
      ],
    },
    path: null,
    keptAt,
  });
const decide = (where: string) => {
  storage = where;
};
const LONG_AGO = new Date("2026-11-01T00:00:00Z");

test("--continue goes on with the chat of the server that changed last, says which, and saves into it", async () => {
  keepLocal(LONG_AGO);
  const { code, out, err } = await chat("-c And?");
  expect([code, out]).toEqual([0, "Really.\n"]);
  expect(err).toContain("Goes on with “Feathers” of your chats on the server, 2 messages, 2 hours ago.");
  expect(sent("POST", "/completions")[0]?.body).toMatchObject({
    model: "acme/one",
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: '<file name="a.md">\nInside.\n</file>\n\nWhy?' },
          { type: "image_url", image_url: { url: picture.data } },
        ],
      },
      { role: "assistant", content: "Because." },
      { role: "user", content: "And?" },
    ],
  });
  const [saved] = sent("PUT", "/entries").map(({ body }) => (body as { items: { id: string }[] }).items);
  const [question, answer] = saved ?? [];
  expect(question).toMatchObject({
    kind: "question",
    text: "And?",
    created_at: NOW.toISOString(),
    question: { after: ["a1"], models: ["acme/one"], attachments: [] },
  });
  expect(answer).toMatchObject({
    kind: "answer",
    text: "Really.",
    answer: { question: question?.id, lane: 0, model: "acme/one", state: "done" },
  });
  expect(sent("PUT", ID)[0]?.body).toMatchObject({
    version: 3,
    title: "Feathers",
    selected: { "q a1": question?.id },
    updated_at: NOW.toISOString(),
  });
  expect(readLastChat(folder).transcript.messages).toHaveLength(2);
});

test("a chat that another device changes meanwhile is read and changed again", async () => {
  conflicts = 2;
  const { code, err } = await chat("-c And?");
  expect([code, sent("PUT", ID).length]).toEqual([0, 3]);
  expect(err).not.toContain("could not be saved");
});

test("archived chats are not gone on with", async () => {
  listed = [storedConversation("archived", { is_archived: true }), conversation];
  expect((await chat("-c And?")).err).toContain("“Feathers”");
});

test("chats without an answer are passed over", async () => {
  listed = [storedConversation("unanswered"), conversation];
  expect((await chat("-c And?")).err).toContain("“Feathers”");
});

test("without a conversation of this machine, a credential that may not read chats is refused with the scope", async () => {
  decide("denied");
  const { code, err } = await chat("-c And?");
  expect(code).toBe(2);
  expect(err).toContain("those on the server need the scope chats.write");
});

test.each([
  ["the conversation of this machine is newer", () => keepLocal(NOW), ""],
  ["the organization keeps chats in the browser", () => decide("browser"), ""],
  ["the organization keeps no chats", () => decide("off"), ""],
  ["the credential may not read chats", () => decide("denied"), "need the scope chats.write"],
])("--continue goes on with the conversation of this machine where %s", async (_what, prepare, hint) => {
  keepLocal(LONG_AGO);
  prepare();
  const { code, err } = await chat("-c And?");
  expect(code).toBe(0);
  expect(err).toContain("Goes on with “Here”, 2 messages");
  expect(err).toContain(hint);
  expect([sent("PUT", "/entries").length, readLastChat(folder).transcript.messages.length]).toEqual([0, 4]);
});

test("--continue with no conversation here and on the server is a mistake", async () => {
  listed = [];
  const { code, err } = await chat("-c And?");
  expect(code).toBe(2);
  expect(err).toContain("there is no conversation to go on with");
  expect(sent("POST", "/completions")).toEqual([]);
});

test("an exchange that the server does not take is kept on this machine, and the reason is printed", async () => {
  puts = () => errorResponse(409, "conversations.full", "Your chats would take more than 100 MB here.");
  const { code, out, err } = await chat("-c And?");
  expect([code, out]).toEqual([0, "Really.\n"]);
  expect(err).toContain("could not be saved in “Feathers”");
  expect(err).toContain("Your chats would take more than 100 MB here.");
  expect(readFileSync(join(folder, "last-chat.json"), "utf8")).toContain("And?");
});
