import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const SERVER = {
  ...{ name: "docs", url: "https://mcp.example.com/mcp", header_name: "authorization", is_secret_set: true },
  ...{ allowed_tools: null, is_enabled: true, created_by_name: "Maria", updated_at: "2026-11-30T14:01:02.000Z" },
};
const OFF = {
  ...SERVER,
  name: "old",
  header_name: null,
  is_secret_set: false,
  allowed_tools: ["a", "b"],
  is_enabled: false,
};
const LOST = { ...SERVER, name: "lost", is_secret_set: false };
const TOOL = {
  name: "docs__search",
  server: "docs",
  title: "Search the docs",
  description: "Searches all of the documentation, also in its older versions.\nSlowly.",
  input_schema: {},
  output_schema: null,
  annotations: { readOnlyHint: true },
  fingerprint: "f",
};
const CALL = {
  ...{ id: "tcl_1", server: "docs", tool: "search", user_id: "usr_1", api_key_id: null },
  ...{ outcome: "tool_error", started_at: "2026-11-30T14:01:02.000Z", duration_ms: 1200 },
};
const answer = (content: object[], is_error = false) => ({
  body: { content, structured_content: null, is_error, duration_ms: 1200 },
});
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /organization/tool-servers": () => ({ body: { items: [SERVER, LOST, OFF] } }),
  "GET /admin/tool-servers": () => ({ body: { items: [] } }),
  "PUT /organization/tool-servers/docs": () => ({ body: SERVER }),
  "PUT /admin/tool-servers/docs": () => ({ body: SERVER }),
  "DELETE /organization/tool-servers/docs": () => ({ status: 204 }),
  "DELETE /organization/tool-servers/nobody": () =>
    errorResponse(404, "tool_servers.not_found", "There is no server of tools with this name."),
  "GET /organization/tool-servers/docs/tools": () => ({
    body: {
      items: [{ name: "search", title: "Search", description: null, input_schema: {}, is_allowed: false }],
      problems: ["It has no tool find, which is allowed."],
    },
  }),
  "GET /tools": () => ({
    body: { items: [TOOL], problems: [{ server: "old", message: "It did not answer within 60 seconds." }] },
  }),
  "GET /tools/calls": () => ({
    body: { items: [CALL], pagination: { current_page: 1, per_page: 50, total_items: 1, total_pages: 1 } },
  }),
  "POST /tools/docs__search/call": () =>
    answer([
      { type: "text", text: "Found." },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "resource_link", uri: "https://example.com/a" },
    ]),
  "POST /tools/docs__fail/call": () => answer([{ type: "text", text: "The disk is full." }], true),
});
const sent = (method: string) => requests().find((request) => request.method === method)?.body;

test("tools servers list shows whether each has its secret, its tools and its state", async () => {
  const { out } = await runInteractive("tools servers list", { columns: 160 });
  expect(out).toMatch(/docs +https:\/\/mcp\.example\.com\/mcp +set +all +on/);
  expect(out).toMatch(/lost .* missing /);
  expect(out).toMatch(/old .* none +a, b +off/);
  expect((await run("tools servers list --everybody --json name")).out).toBe("[]\n");
});

test("tools servers add sends the secret from stdin, which is no argument", async () => {
  const line = "tools servers add docs https://mcp.example.com/mcp --header Authorization --secret - --tools a,b --off";
  expect(await run(line, { stdin: "Bearer x\n" })).toMatchObject({
    code: 0,
    out: "docs\n",
    err: expect.stringContaining("Registered docs."),
  });
  expect(sent("PUT")).toEqual({
    ...{ url: "https://mcp.example.com/mcp", header_name: "Authorization", header_value: "Bearer x" },
    ...{ allowed_tools: ["a", "b"], is_enabled: false },
  });
});

test("tools servers add registers one for everybody without a secret", async () => {
  const { code, err } = await runInteractive("tools servers add docs https://mcp.example.com/mcp --everybody");
  expect([code, err]).toEqual([0, expect.stringContaining("feather tools servers show docs --everybody")]);
  expect(sent("PUT")).toMatchObject({ header_name: null, allowed_tools: null, is_enabled: true });
});

test.each([
  ["tools servers add docs https://x.example --secret -", "--secret needs --header"],
  ["tools servers add docs https://x.example --header Authorization", "there is nobody to ask here: use --secret -"],
  ["tools call docs__search --args [1]", "--args is not a JSON object"],
  ["tools call docs__search --args nonsense", "--args is not a JSON object"],
])("%s sends nothing, and says what is wrong", async (line, message) => {
  expect(await run(line, { stdin: "" })).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  expect(requests()).toEqual([]);
});

test("tools servers add refuses an empty secret", async () => {
  const line = "tools servers add docs https://x.example --header Authorization --secret -";
  expect(await run(line, { stdin: "\n" })).toMatchObject({ code: 2, err: expect.stringContaining("no secret") });
});

test("tools servers show lists the tools of a server and what is wrong with it", async () => {
  const { out, err } = await runInteractive("tools servers show docs");
  expect(out).toMatch(/search +no +Search/);
  expect(err).toContain("It has no tool find, which is allowed.");
});

test("tools servers remove asks, and removes the server", async () => {
  expect((await run("tools servers remove docs")).code).toBe(2);
  expect(requests()).toEqual([]);
  expect(await run("tools servers remove docs --yes")).toMatchObject({ code: 0, err: "Removed docs.\n" });
  expect((await run("tools servers remove nobody --yes")).code).toBe(3);
});

test("tools list shows titles and the first line of what tools do, as far as there is room, and servers that cannot be used", async () => {
  const { out, err } = await runInteractive("tools list");
  expect(out).toMatch(
    /docs__search +Search the docs +Searches all of the documentation, also in its older versions\.\s*$/m,
  );
  const narrow = await runInteractive("tools list", { columns: 60 });
  expect(narrow.out).toMatch(/docs__search +Search the docs\s*$/m);
  expect(err).toContain("old: It did not answer within 60 seconds.");
  expect((await run("tools list -q")).out).toBe("docs__search\n");
  expect(JSON.parse((await run("tools list --json annotations,output_schema")).out)).toEqual([
    { annotations: { readOnlyHint: true }, output_schema: null },
  ]);
});

test("tools call prints the texts of the answer, and names its other parts", async () => {
  const { code, out } = await run(`tools call docs__search --args {"query":"streams"}`);
  expect([code, out]).toEqual([0, "Found.\n[image: image/png]\n[resource_link: https://example.com/a]\n"]);
  expect(sent("POST")).toEqual({ arguments: { query: "streams" } });
  expect(JSON.parse((await run("tools call docs__search --json")).out)).toMatchObject({ is_error: false });
});

test("tools call exits with 5 for an error of the tool", async () => {
  const { code, out, err } = await run("tools call docs__fail");
  expect([code, out, err]).toEqual([5, "The disk is full.\n", expect.stringContaining("docs__fail failed")]);
});

test("tools calls lists who called what with which result", async () => {
  const { out } = await runInteractive("tools calls");
  expect(out).toMatch(/docs__search +error of the tool +1\.2 s/);
});

test("tools needs a sign-in", async () => {
  expect((await runAnonymous("tools list")).code).toBe(4);
});
