import { buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { describe, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";
import { storedAnswer, storedConversation, storedQuestion } from "../../testing/stored-chats.ts";

const one = storedConversation("chat-1", { folder: "Birds", is_pinned: true, settings: { system: "Be\nbrief." } });
const other = storedConversation("chat-2", { title: "", is_archived: true });
const gone = storedConversation("chat-3");
const attachment = { id: "f1", kind: "text", name: "notes.md", type: "text/markdown", size: 1, data: "x" };
const entries = [
  storedQuestion("q1", 0, [], "Why?", { attachments: [attachment] }),
  storedAnswer("a1", 1, "q1", "First version."),
  storedAnswer("a2", 2, "q1", "Second version."),
  storedQuestion("q2", 3, ["a1"], "Really?", { models: ["acme/one", "acme/two"] }),
];
const rest = [
  storedAnswer("a4", 5, "q2", "No", { lane: 1, model: "acme/two", state: "stopped" }),
  storedAnswer("a3", 4, "q2", "Yes."),
];
const share = {
  id: "shr_1",
  conversation_id: "chat-1",
  title: "Feathers",
  url: "https://feather.example/shared-chats/secret",
  is_readable: true,
  created_at: "2026-11-21T10:00:00.000Z",
  expires_at: "2026-11-28T10:00:00.000Z",
};
const selecting = (selected: object) => ({ ...one, selected });
let shown: object = selecting({ "a q1 0": "a1" });
const { run, requests } = setupCli({
  "GET /conversations": () => ({ body: buildPage([one, other, gone]) }),
  "GET /conversations/chat-1": () => ({ body: shown }),
  "GET /conversations/chat-1/entries": ({ query }) => ({
    body: query.get("after") === "0" ? { items: entries, next_after: 4 } : { items: rest, next_after: null },
  }),
  "GET /conversations/chat-2/entries": () => ({ body: { items: [], next_after: null } }),
  "GET /conversations/chat-3/entries": () => errorResponse(404, "conversations.not_found", "You have no such chat."),
  "GET /conversations/chat-9": () => errorResponse(404, "conversations.not_found", "You have no such chat."),
  "DELETE /conversations/chat-1": () => ({ status: 204 }),
  "GET /chat-shares": () => ({ body: { items: [share] } }),
  "POST /chat-shares": () => ({ status: 201, body: share }),
  "DELETE /chat-shares/shr_1": () => ({ status: 204 }),
});

test("chats are listed with their folder and whether they are pinned or archived", async () => {
  const { code, out } = await run("chats list");
  expect(code).toBe(0);
  expect(out.split("\n").slice(0, 2)).toEqual([
    "Feathers\tBirds\tpinned\t2026-11-21T10:00:00.000Z\tchat-1",
    "New chat\t\tarchived\t2026-11-21T10:00:00.000Z\tchat-2",
  ]);
  expect(JSON.parse((await run("chats list --json id,folder")).out)).toEqual([
    { id: "chat-1", folder: "Birds" },
    { id: "chat-2", folder: null },
    { id: "chat-3", folder: null },
  ]);
});

describe("a chat that is shown", () => {
  test("has the branch that the person chose, with all models, as Markdown", async () => {
    shown = selecting({ "a q1 0": "a1" });
    const { code, out } = await run("chats show chat-1");
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "# Feathers",
        "> Be\n> brief.",
        "## You",
        "Why?",
        "*With the file notes.md.*",
        "## acme/one",
        "First version.",
        "## You",
        "Really?",
        "## acme/one",
        "Yes.",
        "## acme/two",
        "No",
        "*The answer is not complete.*\n",
      ].join("\n\n"),
    );
  });

  test("has the newest branch where none was chosen", async () => {
    shown = selecting({});
    const { out } = await run("chats show chat-1");
    expect(out).toContain("Second version.");
    expect(out).not.toContain("Really?");
  });

  test("has all branches as JSON", async () => {
    const { out } = await run("chats show chat-1 --json");
    const chat = JSON.parse(out) as { id: string; entries: { id: string }[] };
    expect([chat.id, chat.entries.map(({ id }) => id)]).toEqual(["chat-1", ["q1", "a1", "a2", "q2", "a4", "a3"]]);
  });

  test("that is not there is an error", async () => {
    const { code, out, err } = await run("chats show chat-9");
    expect([code === 0, out]).toEqual([false, ""]);
    expect(err).toContain("You have no such chat.");
  });
});

test("the export prints each chat as a line of JSON, and passes over one that is deleted meanwhile", async () => {
  const { code, out, err } = await run("chats export");
  expect(code).toBe(0);
  const lines = out.trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(["chat-1", "chat-2"]);
  expect(err).toContain("Exported 2 chats.");
});

test("a chat is deleted after a confirmation, and not without one", async () => {
  expect((await run("chats delete chat-1")).code).not.toBe(0);
  const deletions = () => requests().filter(({ method }) => method === "DELETE");
  expect(deletions()).toEqual([]);
  const { code, err } = await run("chats delete chat-1 --yes");
  expect([code, deletions().length]).toEqual([0, 1]);
  expect(err).toContain("Deleted chat-1.");
});

describe("links to chats", () => {
  test("a link is made to the branch that is shown, and its address is printed", async () => {
    shown = selecting({ "a q1 0": "a1" });
    const { code, out } = await run("chats share chat-1 --days 30");
    expect([code, out]).toEqual([0, `${share.url}\n`]);
    expect(requests().find(({ method }) => method === "POST")?.body).toEqual({
      conversation_id: "chat-1",
      entry_ids: ["q1", "a1", "q2", "a3", "a4"],
      days: 30,
    });
  });

  test("a link of other days is wrong use", async () => {
    expect(await run("chats share chat-1 --days 365")).toMatchObject({ code: 2 });
    expect(requests()).toEqual([]);
  });

  test("links are listed with their addresses and ends", async () => {
    const { out } = await run("chats shares list");
    expect(out).toBe(`Feathers\t${share.url}\tyes\t${share.expires_at}\tshr_1\n`);
  });

  test("a link is revoked after a confirmation, and not without one", async () => {
    expect((await run("chats shares revoke shr_1")).code).not.toBe(0);
    expect(requests().filter(({ method }) => method === "DELETE")).toEqual([]);
    const { code, err } = await run("chats shares revoke shr_1 --yes");
    expect([code, err.includes("Ended shr_1.")]).toEqual([0, true]);
  });
});
