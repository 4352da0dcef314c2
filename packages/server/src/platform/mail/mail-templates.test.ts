import { startMailServer } from "@feather/testing/mail-server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { passwordResetMail } from "../../accounts/identity/account/account.mails.ts";
import { organizationInvitationMail } from "../../accounts/organizations/organizations.mails.ts";
import { type Account, type Answer, createTestServer, type TestServer } from "../../testing/server.ts";

const warnings: object[] = [];
const LINK = "https://feather.example/reset-password?token=one_x";
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;
let admin: Account;
let otherAdmin: Account;

beforeAll(async () => {
  mailServer = await startMailServer();
  server = await createTestServer({
    env: { SMTP_URL: mailServer.url, FEATHER_MAIL_FROM: "Feather <feather@example.com>" },
    log: createLog(),
  });
  admin = await server.signInAdmin();
  otherAdmin = await server.signUp("other@example.com");
  await server.db.updateTable("users").set({ is_admin: true }).where("id", "=", otherAdmin.userId).execute();
});
afterAll(async () => {
  await server.close();
  await mailServer.close();
});
beforeEach(async () => {
  await server.db.deleteFrom("mail_templates").execute();
  await server.db.deleteFrom("outbox").execute();
  mailServer.received.length = 0;
  warnings.length = 0;
});

/** A log that keeps warnings about templates. */
function createLog(): never {
  const log: object = new Proxy(
    { child: () => log, level: "info", warn: (what: object) => void warnings.push(what) },
    { get: (target, name) => Reflect.get(target, name) ?? (() => {}) },
  );
  return log as never;
}

type Template = { version: number; subject: string; text: string; problem: string | null; is_edited: boolean };
const path = (name: string, rest = "") => `/api/admin/mail-templates/${name}${rest}`;
const read = async (name: string): Promise<Template> =>
  (await server.call(path(name), { token: admin.token })).body as Template;
const put = (name: string, body: object, by = admin): Promise<Answer> =>
  server.call(path(name), { method: "PUT", token: by.token, body });
const sendReset = () =>
  server.api.mail.send({
    template: passwordResetMail,
    values: { link: LINK, providers: null },
    to: "maria@example.com",
  });
const deliver = () => server.platform.jobs.find(({ name }) => name === "send mail")?.run();
const received = () => mailServer.received.map(({ text }) => text);

describe("the default words of mails", () => {
  test("are sent while no admin has edited them", async () => {
    await sendReset();
    await deliver();
    const [message = ""] = received();
    expect(message).toContain("Subject: Reset your password at Feather");
    expect(message).toContain(`Choose a new password here:\r\n\r\n${LINK}\r\n\r\nThe link works once`);
    expect(message).toContain("disconnects sign-in providers, takes back");
  });

  test("are listed with their groups for admins, and for nobody else", async () => {
    const { body } = await server.call("/api/admin/mail-templates", { token: admin.token });
    const { items } = body as { items: { name: string; group: string; is_edited: boolean }[] };
    expect(items).toContainEqual(
      expect.objectContaining({
        name: "payment_failed",
        group: "dunning",
        is_edited: false,
        edited_by: null,
        problem: null,
      }),
    );
    expect(items.at(-1)).toMatchObject({ name: "signature" });
    const who = await server.signUp();
    expect((await server.call("/api/admin/mail-templates", { token: who.token })).status).toBe(404);
    expect((await put("password_reset", { subject: "x", text: "{{ link }}", version: 0 }, who)).status).toBe(404);
  });
});

describe("edited words of mails", () => {
  test("are what arrives, with the name of the admin in the list and in the audit log", async () => {
    const edited = await put("password_reset", {
      subject: "{{ product }}: new password",
      text: "Hello,\r\n{{#providers}}\n({{ providers }})\n{{/providers}}\n\n{{ link }}\n\nYours",
      version: 0,
    });
    expect(edited.body).toMatchObject({ version: 1, is_edited: true, edited_by: "admin", has_new_default: false });
    await sendReset();
    await deliver();
    expect(received()[0]).toContain("Subject: Feather: new password");
    expect(received()[0]).toContain(`Hello,\r\n\r\n${LINK}\r\n\r\nYours`);
    const log = await server.db
      .selectFrom("audit_log")
      .select(["action", "target"])
      .where("action", "like", "mail_templates.%")
      .execute();
    expect(log).toContainEqual({ action: "mail_templates.update", target: "password_reset" });
  });

  test("leave messages as they are that were written before", async () => {
    await sendReset();
    await put("password_reset", { subject: "New", text: "{{ link }}", version: 0 });
    await deliver();
    expect(received()[0]).toContain("Subject: Reset your password at Feather");
  });

  test("are gone after a reset, which is asked for with their version", async () => {
    await put("password_reset", { subject: "New", text: "{{ link }}", version: 0 });
    const remove = (version: number) =>
      server.call(`${path("password_reset")}?version=${version}`, { method: "DELETE", token: admin.token });
    expect((await remove(0)).status).toBe(409);
    expect((await remove(1)).status).toBe(204);
    expect(await read("password_reset")).toMatchObject({
      is_edited: false,
      version: 2,
      subject: passwordResetMail.subject,
    });
    await sendReset();
    await deliver();
    expect(received()[0]).toContain("Subject: Reset your password at Feather");
  });

  test("of two admins, those of the second are refused until they have seen the first", async () => {
    const first = { subject: "First", text: "{{ link }}", version: 0 };
    expect((await put("password_reset", first)).status).toBe(200);
    const second = await put("password_reset", { ...first, subject: "Second" }, otherAdmin);
    expect(second.status).toBe(409);
    expect(second.text).toContain("mail_templates.changed");
    expect((await read("password_reset")).subject).toBe("First");
    expect((await put("password_reset", { ...first, subject: "Second", version: 1 }, otherAdmin)).status).toBe(200);
    const stale = await put("password_reset", { ...first, version: 7 });
    expect(stale.status).toBe(409);
  });

  test("of two admins at the same time are stored once", async () => {
    const answers = await Promise.all(
      [admin, otherAdmin].map((by) => put("receipt", { subject: "Receipt", text: `By ${by.email}`, version: 0 }, by)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test.each([
    ["an unknown variable", { text: "{{ link }} {{ name }}" }, "It has no variable {{ name }}."],
    ["a missing link", { text: "Hello" }, "It needs {{ link }}"],
    ["no end of a section", { text: "{{#providers}}{{ link }}" }, "It cannot be read"],
    ["a line break in the subject", { subject: "a\nBcc: b@example.com" }, "It has a line break."],
    ["a carriage return in the subject", { subject: "a\rBcc: b@example.com" }, "characters that cannot be seen"],
    ["hidden characters in the subject", { subject: "a\u202eb" }, "characters that cannot be seen"],
  ])("are refused with %s, and nothing is changed", async (_, change, problem) => {
    const answer = await put("password_reset", { subject: "a", text: "{{ link }}", version: 0, ...change });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("mail_templates.not_valid");
    expect(answer.text).toContain(problem);
    expect(await read("password_reset")).toMatchObject({ version: 0, is_edited: false });
  });

  test("that no longer fit after an upgrade are passed over, with a warning in the log and on the page", async () => {
    await put("password_reset", { subject: "New", text: "{{ link }}", version: 0 });
    await server.db.updateTable("mail_templates").set({ body: "{{ removed }} {{ link }}" }).execute();
    await sendReset();
    await deliver();
    expect(received()[0]).toContain("Subject: Reset your password at Feather");
    expect(received()[0]).toContain(LINK);
    expect(warnings).toContainEqual({
      template: "password_reset",
      language: "en",
      problem: "text: It has no variable {{ removed }}.",
    });
    expect((await read("password_reset")).problem).toBe("Text: It has no variable {{ removed }}.");
  });

  test("that are too long with their values, or empty, are passed over", async () => {
    await put("organization_invitation", {
      subject: "{{ email }}",
      text: `{{ link }} ${"{{ organization }}".repeat(150)}`,
      version: 0,
    });
    const values = { organization: "x".repeat(1_000), email: "", link: LINK };
    await server.api.mail.send({ template: organizationInvitationMail, values, to: "maria@example.com" });
    await server.api.mail.send({
      template: organizationInvitationMail,
      values: { ...values, organization: "Acme" },
      to: "maria@example.com",
    });
    await deliver();
    expect(received()).toEqual([
      expect.stringContaining("Subject: Join"),
      expect.stringContaining("Subject: Join Acme"),
    ]);
    expect(warnings).toHaveLength(2);
  });

  test("say when the default has changed since, and what it was", async () => {
    await put("password_reset", { subject: "New", text: "{{ link }}", version: 0 });
    await server.db.updateTable("mail_templates").set({ default_body: "Before: {{ link }}" }).execute();
    expect(await read("password_reset")).toMatchObject({
      has_new_default: true,
      default: { text: passwordResetMail.text },
      earlier_default: { text: "Before: {{ link }}" },
    });
  });

  test("stay when the account of their admin is deleted", async () => {
    await put("password_reset", { subject: "New", text: "{{ link }}", version: 0 }, otherAdmin);
    await server.db.updateTable("mail_templates").set({ edited_by: null }).execute();
    expect(await read("password_reset")).toMatchObject({ subject: "New", edited_by: null });
  });
});

test("line breaks in names add no header to a message", async () => {
  const organization = "Acme\r\nBcc: evil@example.com\r\n\r\nHello";
  const values = { organization, email: "maria@example.com", link: LINK };
  await put("organization_invitation", { subject: "{{ organization }}", text: "{{ link }}", version: 0 });
  await server.api.mail.send({ template: organizationInvitationMail, values, to: "maria@example.com" });
  await deliver();
  expect(mailServer.received[0]?.to).toEqual(["maria@example.com"]);
  const [headers = ""] = (received()[0] ?? "").split("\r\n\r\n");
  expect(headers).toContain("Subject: Acme Bcc: evil@example.com Hello");
  expect(headers).not.toMatch(/^Bcc:/m);
});

test("the text below all mails stands below every mail, and is left out by default", async () => {
  expect((await put("signature", { subject: "x", text: "Yours", version: 0 })).status).toBe(400);
  expect((await put("signature", { subject: "", text: "Yours, {{ product }}\n{{ site }}", version: 0 })).status).toBe(
    200,
  );
  await sendReset();
  await deliver();
  const draft = { subject: "Hello", text: "{{ link }}" };
  const preview = await server.call(path("password_reset", "/preview"), { token: admin.token, body: draft });
  expect((preview.body as { text: string }).text).toMatch(/one_sample\n\nYours, Feather\n/);
  expect(received()[0]).toMatch(/stays as it is\.\r\n\r\nYours, Feather\r\nhttp:\/\/localhost:\d+\s*$/);
});

describe("previews and tests of templates", () => {
  const draft = { subject: "{{ product }}: {{ providers }}", text: "{{ link }}" };

  test("a preview has the sample values, and stores and sends nothing", async () => {
    const { body } = await server.call(path("password_reset", "/preview"), { token: admin.token, body: draft });
    expect(body).toEqual({
      subject: "Feather: GitHub, Google",
      text: expect.stringMatching(/^http:\/\/localhost:\d+\/reset-password\?token=one_sample$/),
    });
    await deliver();
    expect([(await read("password_reset")).version, received()]).toEqual([0, []]);
  });

  test("a preview says what is wrong", async () => {
    const answer = await server.call(path("password_reset", "/preview"), {
      token: admin.token,
      body: { ...draft, text: "{{ lnk }}" },
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("It has no variable {{ lnk }}.");
  });

  test("a test goes to the admin's own address, as a message of its own kind", async () => {
    const answer = await server.call(path("approval_requested", "/test"), {
      token: admin.token,
      body: { subject: "Hello", text: "{{ email }}" },
    });
    expect(answer.body).toEqual({ to: "admin@example.com" });
    await deliver();
    expect(mailServer.received[0]?.to).toEqual(["admin@example.com"]);
    expect(received()[0]).toContain("Subject: Test: Hello");
    // A test must not count as a notice: those go out once an hour.
    expect((await server.db.selectFrom("outbox").select("kind").execute()).map(({ kind }) => kind)).toEqual([
      "template_test",
    ]);
  });

  test("an unknown template is not found", async () => {
    expect((await server.call(path("nothing"), { token: admin.token })).status).toBe(404);
    expect((await put("nothing", { subject: "a", text: "b", version: 0 })).status).toBe(404);
  });
});

test("a message lacks no value of its template, and has no other", () => {
  const { mail } = server.api;
  const to = "maria@example.com";
  // Only checked by the compiler.
  const wrong = () => [
    // @ts-expect-error a value is missing
    mail.send({ template: passwordResetMail, values: { link: LINK }, to }),
    // @ts-expect-error a value has no variable
    mail.send({ template: passwordResetMail, values: { link: LINK, providers: null, name: "x" }, to }),
    // @ts-expect-error a value has another type
    mail.send({ template: passwordResetMail, values: { link: null, providers: null }, to }),
  ];
  expect(wrong).toBeTypeOf("function");
});
