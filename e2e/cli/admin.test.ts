/** Operating the platform from the terminal, against the platform itself. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { type Cli, createCli } from "../support/cli.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
let admin: Cli;
let person: Cli;
let visitor: Cli;
let email = "";
beforeAll(async () => {
  visitor = createCli({ baseUrl });
  const account = await createAccount(baseUrl);
  email = account.email;
  person = createCli({ baseUrl, token: account.token });
  admin = createCli({ baseUrl, token: (await signInAsAdmin(baseUrl)).token });
});
afterAll(() => {
  for (const one of [person, admin, visitor]) one.remove();
});

test.each([
  "admin users list",
  "admin models list",
  "admin prices list",
  "admin deployments list",
  "admin backends list",
  "admin usage",
  "admin operations",
  "admin audit list",
  "admin outbox list",
  "models pulls list",
])("%s prints its response to admins and is refused to others", async (line) => {
  const { code, stdout } = await admin.run(`${line} --json`);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(expect.any(Object));
  expect(await admin.run(line)).toMatchObject({ code: 0 });
  const refused = await person.run(line);
  expect([3, 4]).toContain(refused.code);
  expect(refused.stdout).toBe("");
});

describe("users", () => {
  test("shows a user by e-mail and by id, suspends them with a reason, and restores them", async () => {
    type User = { id: string; email: string };
    const user = await admin.json<User>(`admin users show ${email}`);
    expect(await admin.json<User>(`admin users show ${user.id}`)).toMatchObject({ email });
    expect((await admin.run(`admin users suspend ${email}`)).code).toBe(2); // not without --yes
    expect((await person.run("whoami")).code).toBe(0);
    expect((await admin.run(["admin", "users", "suspend", email, "--reason", "spam", "--yes"])).code).toBe(0);
    expect((await person.run("whoami")).code).toBe(4);
    expect((await admin.run(`admin users show ${email}`)).stdout).toContain("spam");
    expect((await admin.run(`admin users restore ${email} --yes`)).code).toBe(0);
    const audited = await admin.run(`admin audit list --target ${user.id}`);
    expect(audited.stdout).toMatch(/users\.update/);
  });

  test.each(["nobody@example.com", "usr_4fJqM1t9ZkX2vLr8NwB6yH"])("reports %s as unknown", async (who) => {
    expect((await admin.run(`admin users show ${who}`)).code).toBe(3);
  });
});

test("adds a disabled model, changes it, and deletes it", async () => {
  const id = "acme/writer";
  const made = await admin.run(`admin models create ${id} --class feather-demo --context 2048 --disable`);
  expect([made.code, made.stderr]).toEqual([0, expect.stringContaining(id)]);
  expect((await admin.run(`chat -m ${id} hello`)).code).not.toBe(0);
  expect((await admin.run(["admin", "models", "update", id, "--enable", "--description", "It writes."])).code).toBe(0);
  expect(await visitor.json(`models show ${id}`)).toMatchObject({ description: "It writes." });
  expect((await admin.run(`admin models delete ${id} --yes`)).code).toBe(0);
  expect((await visitor.run(`models show ${id}`)).code).toBe(3);
});

test("a price applies from its date on, and earlier prices stay", async () => {
  const line = "admin prices set feather/demo --read 0.1 --written 0.2 --from 2098-01-01 --yes";
  expect(await admin.run(line)).toMatchObject({ code: 0 });
  expect((await admin.run("admin prices list --model feather/demo")).stdout).toContain("2098-01-01");
});

test("a backend in the internal network is only accepted if the operator allows it", async () => {
  const refused = await admin.run("admin backends add aviary http://127.0.0.1:9/v1 --with-key", { stdin: "sk-secret" });
  expect([refused.code, refused.stdout]).toEqual([2, ""]);
  expect(refused.stderr).toContain("FEATHER_OUTGOING_ALLOW");
  expect(refused.stderr).not.toContain("sk-secret");
  expect((await admin.run("admin backends add aviary http://127.0.0.1:9/v1 --with-key")).code).toBe(2); // an empty stdin
});

test("the token for a gated model is never passed on the command line", async () => {
  const help = await admin.run("admin models create --help");
  expect(help.stdout).toContain("--with-token");
  expect((await admin.run("admin models create acme/x --access-token hf_secret")).code).toBe(2);
  expect((await admin.run("admin models create acme/x --with-token")).stderr).toContain("no token came on stdin");
});
