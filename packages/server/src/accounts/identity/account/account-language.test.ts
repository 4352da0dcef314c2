import { createTestClock } from "@feather/testing/clock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAIL_TRANSLATIONS } from "../../../config/translations.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../../testing/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const register = (email: string, language?: string, on = server) =>
  on.call("/api/auth/register", {
    body: { email, password: PASSWORD },
    ...(language !== undefined && { headers: { "accept-language": language } }),
  });
const login = (email: string, language: string) =>
  server.call("/api/auth/login", { body: { email, password: PASSWORD }, headers: { "accept-language": language } });
const update = (account: Account, body: object) =>
  server.call("/api/account", { method: "PUT", token: account.token, body });
const languageOf = (answer: { body: unknown }) => (answer.body as { language: string | null }).language;
/** Returns the subject of the only message to an address, with the name of the product. */
const subjectTo = async (on: TestServer, to: string) =>
  (await on.db.selectFrom("outbox").select("subject").where("recipient", "=", to).executeTakeFirstOrThrow()).subject;
const german = (name: string) => MAIL_TRANSLATIONS.de[name]?.subject.replace("{{ product }}", "Feather");

describe("the language of an account", () => {
  test("is the one that the browser asks for at the registration", async () => {
    expect(languageOf(await register("de@example.com", "de-CH,de;q=0.9"))).toBe("de");
    expect(languageOf(await register("nl@example.com", "nl"))).toBeNull();
    expect(languageOf(await register("program@example.com"))).toBeNull();
  });

  test("is the one of the next sign-in where it has none, and stays from then on", async () => {
    await register("later@example.com");
    expect(languageOf(await login("later@example.com", "ja"))).toBe("ja");
    expect(languageOf(await login("later@example.com", "fr"))).toBe("ja");
  });

  test("is changed and taken back by its owner", async () => {
    const owner = await server.signUp();
    expect(languageOf(await update(owner, { language: "zh-Hans" }))).toBe("zh-Hans");
    expect(languageOf(await update(owner, { name: "Maria" }))).toBe("zh-Hans");
    expect(languageOf(await update(owner, { language: null }))).toBeNull();
    expect((await update(owner, { language: "zh" })).status).toBe(400);
    const entries = await server.db
      .selectFrom("audit_log")
      .select("details")
      .where("target", "=", owner.userId)
      .where("action", "=", "account.update")
      .execute();
    expect(entries.map(({ details }) => details)).toContainEqual({ fields: ["language"] });
  });

  test("an admin who acts as somebody else cannot change it, and does not by signing in", async () => {
    const admin = await server.signInAdmin();
    const person = await server.signUp();
    const started = await server.call(`/api/admin/users/${person.userId}/impersonate`, {
      token: admin.token,
      body: { reason: "Support", password: PASSWORD },
      headers: { "accept-language": "fr" },
    });
    expect(started.status).toBe(200);
    const token = started.headers.get("x-session-token") ?? "";
    const refused = await server.call("/api/account", { method: "PUT", token, body: { language: "fr" } });
    expect(refused.status).toBe(403);
    expect(languageOf(await server.call("/api/auth/me", { token: person.token }))).toBeNull();
  });
});

describe("messages about an account", () => {
  test("the link that confirms a registration comes in the language of the browser", async () => {
    const env = { SMTP_URL: "smtp://127.0.0.1:9", FEATHER_PUBLIC_URL: "https://feather.example" };
    const withMail = await createTestServer({ env });
    expect((await register("new@example.com", "de", withMail)).status).toBe(202);
    await withMail.api.registration.registration.settled();
    expect(await subjectTo(withMail, "new@example.com")).toBe(german("registration_confirmation"));
    await withMail.close();
  });

  test("an invitation comes in the language of who invites", async () => {
    const inviter = await server.signUp();
    await update(inviter, { language: "de" });
    const body = { email: "guest@example.com", role: "developer" };
    expect((await server.call("/api/organization/invitations", { token: inviter.token, body })).status).toBe(201);
    const expected = MAIL_TRANSLATIONS.de.organization_invitation?.subject ?? "";
    expect(await subjectTo(server, "guest@example.com")).toBe(
      expected.replace("{{ product }}", "Feather").replace("{{ organization }}", inviter.email.split("@")[0] ?? ""),
    );
  });

  test("a new address and the old one hear of the change in the language of the account", async () => {
    const owner = await server.signUp("old@example.com");
    await update(owner, { language: "de" });
    await update(owner, { email: "fresh@example.com", current_password: PASSWORD });
    expect(await subjectTo(server, "fresh@example.com")).toBe(german("address_confirmation"));
  });

  test("an account that is deleted is told so in its language", async () => {
    const clock = createTestClock();
    const env = { SMTP_URL: "smtp://127.0.0.1:9", FEATHER_PUBLIC_URL: "https://feather.example" };
    const withMail = await createTestServer({ env, clock });
    const owner = await withMail.signUp("leaving@example.com");
    await withMail.db.updateTable("users").set({ language: "de" }).where("id", "=", owner.userId).execute();
    await withMail.db.deleteFrom("outbox").execute();
    const body = { password: PASSWORD };
    const deleted = await withMail.call("/api/account", { method: "DELETE", token: owner.token, body });
    expect(deleted.status).toBe(204);
    expect(await subjectTo(withMail, "leaving@example.com")).toBe(german("account_deleted"));
    await withMail.close();
  });
});

describe("errors for people", () => {
  test("come in the language that the browser asks for, with the same code", async () => {
    const headers = { "accept-language": "de" };
    const answer = await server.call("/api/auth/me", { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("content-language")).toBe("de");
    expect(JSON.stringify(answer.body)).toContain("unauthorized");
    const english = await server.call("/api/auth/me");
    expect(english.headers.get("content-language")).toBeNull();
    expect(english.text).not.toBe(answer.text);
  });
});
