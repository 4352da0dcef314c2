import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const invitation = {
  id: "invite_1",
  email: "joe@example.com",
  role: "developer",
  invited_by: "usr_1",
  sent_at: "2026-11-21T10:00:00.000Z",
  expires_at: "2026-11-28T10:00:00.000Z",
  created_at: "2026-11-21T10:00:00.000Z",
};
const link = "https://feather.example/invitations/one_x";
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /organization/invitations": () => ({ body: { items: [invitation] } }),
  "POST /organization/invitations": ({ body }) => ({
    status: 201,
    body: { ...invitation, ...(body as object), link: JSON.stringify(body).includes("ada@") ? null : link },
  }),
  "POST /organization/invitations/invite_1/resend": () => ({ body: { ...invitation, link: null } }),
  "DELETE /organization/invitations/invite_1": () => ({ status: 204 }),
});

test("lists open invitations", async () => {
  expect((await runInteractive("invitations list")).out).toMatch(
    /joe@example\.com +developer +2 hours ago +28 Nov 2026/,
  );
  expect((await run("invitations list -q")).out).toBe("invite_1\n");
});

test("invites as developer, and prints the link of a server that sends no mail", async () => {
  const { out, err } = await run("invitations create joe@example.com");
  expect(out).toBe("invite_1\n");
  expect(err).toContain(`pass the link on. It works once, for seven days: ${link}`);
  expect(requests().at(-1)?.body).toEqual({ email: "joe@example.com", role: "developer" });
  expect((await run("invitations create joe@example.com --jq .link")).out).toBe(`${link}\n`);
});

test("says that an invitation went out by mail, with the role that was given", async () => {
  expect((await run("invitations create ada@example.com --role admin")).err).toBe("Invited ada@example.com by mail.\n");
  expect(requests().at(-1)?.body).toEqual({ email: "ada@example.com", role: "admin" });
});

test.each(["joe@example.com", "invite_1"])("sends the invitation of %s again, and withdraws it", async (which) => {
  expect((await run(`invitations resend ${which}`)).err).toBe("Invited joe@example.com by mail.\n");
  expect((await run(`invitations withdraw ${which}`)).code).toBe(2);
  expect((await run(`invitations withdraw ${which} --yes`)).code).toBe(0);
  expect(requests().at(-1)).toMatchObject({ method: "DELETE", url: "/organization/invitations/invite_1" });
});

test.each([
  ["invitations withdraw nobody@other.example --yes", 3, "there is no invitation called nobody@other.example"],
  ["invitations create joe@example.com --role owner", 2, "Allowed choices"],
  ["invitations create", 2, "email"],
])("%s exits with %i and sends nothing", async (line, code, message) => {
  const result = await run(line);
  expect([result.code, result.out]).toEqual([code, ""]);
  expect(result.err).toContain(message);
  expect(requests().every(({ method }) => method === "GET")).toBe(true);
});

test("invitations need a sign-in", async () => {
  expect((await runAnonymous("invitations list")).code).toBe(4);
});
