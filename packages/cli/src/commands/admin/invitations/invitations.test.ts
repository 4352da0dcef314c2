import { buildPage } from "@feather/testing/builders";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const invitation = {
  id: "invite_1",
  email: "joe@example.com",
  invited_by: { id: "usr_1", name: "Maria", email: "maria@example.com" },
  expires_at: "2026-11-28T10:00:00.000Z",
  created_at: "2026-11-21T10:00:00.000Z",
};
const link = "https://feather.example/register?invitation=one_x";
const { run, runInteractive, requests } = setupCli({
  "GET /admin/invitations": () => ({ body: buildPage([invitation]) }),
  "POST /admin/invitations": () => ({ status: 201, body: { invitation, link } }),
  "DELETE /admin/invitations/invite_1": () => ({ status: 204 }),
});

test("lists open invitations", async () => {
  expect((await runInteractive("admin invitations list")).out).toMatch(/joe@example\.com +2 hours ago +2026-11-28/);
  expect(JSON.parse((await run("admin invitations list --json id,email")).out)).toEqual([
    { id: "invite_1", email: "joe@example.com" },
  ]);
});

test("prints only the link of an invitation in a pipe", async () => {
  expect((await run("admin invitations create joe@example.com")).out).toBe(`${link}\n`);
  expect(requests().at(-1)).toMatchObject({ method: "POST", body: { email: "joe@example.com" } });
});

test("withdraws an invitation after confirmation", async () => {
  expect((await run("admin invitations withdraw invite_1 --yes")).code).toBe(0);
  expect(requests().at(-1)?.method).toBe("DELETE");
});
