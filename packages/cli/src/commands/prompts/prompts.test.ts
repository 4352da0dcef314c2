import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorResponse } from "@feather/testing/errors";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-prompts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const prompt = (fields: object) => ({
  ...{
    id: "own-1",
    kind: "message",
    name: "Translate",
    text: "Into {{language}}: {{text}}",
    model: null,
    settings: {},
  },
  ...{ owner: "person", version: 3, updated_by_name: "Maria Winter", updated_at: "2026-11-30T08:00:00.000Z" },
  ...fields,
});
const own = prompt({});
const shared = prompt({ id: "org-1", owner: "organization", text: "Of the organization", version: 7 });
const persona = prompt({
  ...{ id: "own-2", kind: "persona", name: "Tutor", text: "Teach.", model: "acme/one" },
  settings: { temperature: 0.2, top_p: 0.5, mcp_tools: "docs__search" },
});
const team = prompt({ id: "org-2", owner: "organization", kind: "persona", name: "Team", text: "Answer.", version: 1 });

let isRefused = false;
const change = ({ path, body }: { path: string; body: unknown }) =>
  isRefused
    ? errorResponse(409, "prompts.changed", "The prompt was changed meanwhile.")
    : { body: { ...own, ...(body as object), id: path.split("/").at(-1) } };
const { run, requests } = setupCli({
  "GET /prompts": () => ({ body: { items: [own, shared, persona, team] } }),
  "PUT /prompts/own-1": change,
  "DELETE /prompts/own-1": () => ({ status: 204 }),
  "DELETE /organization/prompts/org-2": () => ({ status: 204 }),
  "POST /v1/chat/completions": () => ({
    body: { choices: [{ message: { role: "assistant", content: "Hallo." }, finish_reason: "stop" }] },
  }),
});
const writes = () => requests().filter(({ method }) => method !== "GET");
beforeEach(() => {
  isRefused = false;
});

describe("feather prompts", () => {
  test("list has the kind, the owner and the variables of each", async () => {
    const { code, out } = await run("prompts list");
    expect([code, out.split("\n").slice(0, 4)]).toEqual([
      0,
      [
        "Translate\tmessage\tyou\tlanguage, text",
        "Translate\tmessage\torganization\t",
        "Tutor\tpersona\tyou\t",
        "Team\tpersona\torganization\t",
      ],
    ]);
  });

  test("show prints one's own before the organization's of the same name", async () => {
    expect((await run("prompts show Translate")).out).toBe("Into {{language}}: {{text}}\n");
    expect((await run("prompts show Team --persona")).out).toBe("Answer.\n");
    expect(JSON.parse((await run("prompts show Tutor --persona --json")).out)).toMatchObject({ model: "acme/one" });
    const unknown = await run("prompts show Translat");
    expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining("did you mean Translate?")]);
  });

  // A new id is answered with the example of the contract.
  test("set creates a prompt with an id of its own", async () => {
    const { code, err } = await run(["prompts", "set", "Summary", "Sum up {{text}}"]);
    expect([code, err]).toEqual([0, expect.stringContaining("Stored ")]);
    const [{ path, body } = { path: "", body: null }] = writes();
    expect(path).toMatch(/^\/prompts\/[0-9a-f-]{36}$/);
    expect(body).toEqual({ version: 0, kind: "message", name: "Summary", text: "Sum up {{text}}" });
  });

  test("set changes the version that was read, with the text of stdin", async () => {
    await run("prompts set Translate --organization", { stdin: "New {{text}}\n" });
    expect(writes()).toMatchObject([
      { method: "PUT", path: "/organization/prompts/org-1", body: { version: 7, text: "New {{text}}" } },
    ]);
  });

  test("set keeps the settings of a persona that it does not change", async () => {
    await run(["prompts", "set", "Tutor", "Teach slowly.", "--persona", "--temperature", "0", "-m", "any"]);
    expect(writes()[0]?.body).toEqual({
      ...{ version: 3, kind: "persona", name: "Tutor", text: "Teach slowly.", model: null },
      settings: { temperature: 0, top_p: 0.5, mcp_tools: "docs__search" },
    });
  });

  test("set says so when somebody else changed it at the same time", async () => {
    isRefused = true;
    const { code, err } = await run(["prompts", "set", "Translate", "New"]);
    expect([code, err]).toEqual([6, expect.stringContaining("changed meanwhile")]);
  });

  test.each([
    [["prompts", "set", "Translate", "New", "--temperature", "1"], "only a persona has a model and settings"],
    [["prompts", "set", "New"], "there is no text"],
  ])("refuses %j", async (line, message) => {
    const { code, err } = await run(line);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(writes()).toEqual([]);
  });

  test("delete takes the one of the owner, after confirmation", async () => {
    expect((await run("prompts delete Translate --yes")).code).toBe(0);
    expect((await run("prompts delete Team --persona --organization --yes")).code).toBe(0);
    expect((await run("prompts delete Team --persona --yes")).code).toBe(3);
    expect(writes().map(({ path }) => path)).toContain("/organization/prompts/org-2");
  });

  test("export prints what import reads", async () => {
    const { out } = await run("prompts export");
    expect(JSON.parse(out)).toEqual({
      prompts: [own, persona].map(({ kind, name, text, model, settings }) => ({ kind, name, text, model, settings })),
    });
    const file = join(folder, "prompts.json");
    writeFileSync(file, out);
    const kept = await run(["prompts", "import", file]);
    expect(kept.out).toBe("Stored 0. 2 were there already and left as they are.\n");
    expect(writes()).toEqual([]);
    await run(["prompts", "import", file, "--replace"]);
    expect(writes()).toMatchObject([
      { path: "/prompts/own-1", body: { version: 3, text: own.text } },
      { path: "/prompts/own-2", body: { version: 3, settings: persona.settings } },
    ]);
    await run(["prompts", "import", file, "--organization"]);
    const imported = writes().filter(({ path }) => path.startsWith("/organization"));
    expect(imported).toMatchObject([{ body: { version: 0, kind: "persona", name: "Tutor" } }]);
  });

  test.each(["[]", "{", '{"prompts": [{"kind": "message", "name": 1, "text": "x"}]}', '{"prompts": {}}'])(
    "import stores nothing of the file %s",
    async (text) => {
      const file = join(folder, "broken.json");
      writeFileSync(file, text);
      const { code, err } = await run(["prompts", "import", file]);
      expect([code, err]).toEqual([2, expect.stringContaining("holds no prompts")]);
      expect(writes()).toEqual([]);
    },
  );
});

describe("feather chat", () => {
  const completion = () => requests().find(({ path }) => path === "/v1/chat/completions")?.body;

  test("--prompt sends the text with the values of its variables, before what else is said", async () => {
    const { code, out } = await run([
      ...["chat", "-m", "a/b", "--no-stream", "--prompt", "Translate"],
      ...["--var", "language=Dutch", "--var", "text=a=b {{language}}", "Be brief."],
    ]);
    expect([code, out]).toEqual([0, "Hallo.\n"]);
    expect(completion()).toMatchObject({
      messages: [{ role: "user", content: "Into Dutch: a=b {{language}}\n\nBe brief." }],
    });
  });

  test.each([
    [["--prompt", "Translate", "--var", "language=Dutch"], "the prompt Translate needs text"],
    [["--prompt", "Translate", "--var", "language=a", "--var", "text=b", "--var", "tone=c"], "has no variable tone"],
    [["--var", "language=Dutch", "hello"], "--var needs --prompt"],
    [["--prompt", "Translate", "--var", "language"], "--var language has no value"],
  ])("refuses %j and calls no model", async (flags, message) => {
    const { code, err } = await run(["chat", "-m", "a/b", ...flags]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(completion()).toBeUndefined();
  });

  test("--persona gives instructions, model and settings, which flags replace", async () => {
    const { err } = await run(["chat", "--no-stream", "--persona", "Tutor", "--temperature", "1", "Why?"]);
    expect(completion()).toMatchObject({
      ...{ model: "acme/one", temperature: 1, top_p: 0.5 },
      messages: [
        { role: "system", content: "Teach." },
        { role: "user", content: "Why?" },
      ],
    });
    expect(err).toContain("for chats on the site only: mcp_tools.");
  });
});
