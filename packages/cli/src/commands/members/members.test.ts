import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const maria = {
  user_id: "usr_1",
  name: "Maria Winter",
  email: "maria@example.com",
  role: "admin",
  joined_at: "2026-11-01T09:30:00.000Z",
};
const joe = { ...maria, user_id: "usr_2", name: "Joe", email: "joe@example.com", role: "viewer" };
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /organization/members": () => ({ body: { items: [maria, joe] } }),
  "PUT /organization/members/usr_2": ({ body }) => ({ body: { ...joe, ...(body as object) } }),
  "PUT /organization/members/usr_1": () => errorResponse(409, "organization.last_admin", "There is no other admin."),
  "DELETE /organization/members/usr_2": () => ({ status: 204 }),
});

test("lists members with their roles", async () => {
  expect((await runInteractive("members list")).out).toMatch(/Joe +joe@example\.com +viewer +1 Nov 2026 +usr_2/);
  expect((await run("members list -q")).out).toBe("usr_1\nusr_2\n");
  expect(JSON.parse((await run("members list --json email,role")).out)[1]).toEqual({
    email: "joe@example.com",
    role: "viewer",
  });
});

test.each(["joe@example.com", "usr_2"])("changes the role of the member %s", async (who) => {
  expect(await run(`members set-role ${who} editor`)).toEqual({
    code: 0,
    out: "usr_2\n",
    err: "Joe is an editor now.\n",
  });
  expect(requests().at(-1)).toMatchObject({
    method: "PUT",
    url: "/organization/members/usr_2",
    body: { role: "editor" },
  });
});

test("removes a member after confirmation, and only then", async () => {
  expect((await run("members remove joe@example.com")).code).toBe(2);
  expect(requests().every(({ method }) => method === "GET")).toBe(true);
  expect((await run("members remove joe@example.com --yes")).err).toBe("Removed joe@example.com.\n");
  expect(requests().at(-1)).toMatchObject({ method: "DELETE", url: "/organization/members/usr_2" });
});

test.each([
  ["members set-role jo@example.com admin", 3, "did you mean joe@example.com?"],
  ["members set-role joe@example.com owner", 2, "Allowed choices are viewer, developer, editor, admin"],
  ["members set-role maria@example.com viewer", 6, "There is no other admin."],
  ["members remove", 2, "feather members list"],
])("%s exits with %i and changes nothing", async (line, code, message) => {
  const result = await run(line);
  expect([result.code, result.out]).toEqual([code, ""]);
  expect(result.err).toContain(message);
});

test("members need a sign-in", async () => {
  expect((await runAnonymous("members list")).code).toBe(4);
});
