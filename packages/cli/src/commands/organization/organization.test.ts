import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

let callsElsewhere = true;
const organization = () => ({
  id: "org_1",
  name: "Acme",
  role: "admin",
  calls_elsewhere: callsElsewhere,
  created_at: "2026-11-01T09:30:00Z",
});
const { run, runInteractive, requests } = setupCli({
  "GET /organization": () => ({ body: organization() }),
  "PUT /organization": () => ({ body: organization() }),
});
const changes = () => requests().flatMap(({ method, body }) => (method === "PUT" ? [body] : []));

test.each([
  [true, "may leave this server"],
  [false, "stay at this server and in its private networks"],
])("organization show says where calls may go: elsewhere %s", async (isAllowed, text) => {
  callsElsewhere = isAllowed;
  expect((await runInteractive("organization show")).out).toMatch(new RegExp(`^calls +${text}$`, "m"));
  expect(JSON.parse((await run("organization show --json calls_elsewhere")).out)).toEqual({
    calls_elsewhere: isAllowed,
  });
});

test.each([
  ["organization set --calls-elsewhere off", { calls_elsewhere: false }],
  ["organization set --calls-elsewhere on", { calls_elsewhere: true }],
  ["organization set --calls-elsewhere default", { calls_elsewhere: null }],
  ["organization set --name Acme", { name: "Acme" }],
])("%s sends the change alone", async (line, body) => {
  expect((await run(line)).out).toBe("org_1\n");
  expect(changes()).toEqual([body]);
});

test("organization set without a change is wrong use", async () => {
  expect(await run("organization set")).toMatchObject({ code: 2 });
  expect(changes()).toEqual([]);
});
