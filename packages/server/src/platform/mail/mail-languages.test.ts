import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { passwordResetMail } from "../../accounts/identity/account/account.mails.ts";
import { MAIL_TRANSLATIONS } from "../../config/translations.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import type { FallbackLanguage } from "./mail.ts";

const LINK = "https://feather.example/reset-password?token=one_x";
let server: TestServer;
let admin: Account;
let reader: Account;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.signInAdmin();
  reader = await server.signUp("Reader@example.com");
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom("mail_templates").execute();
  await server.db.deleteFrom("outbox").execute();
  await server.db.updateTable("users").set({ language: null }).execute();
});

const prefer = (account: Account, language: string | null) =>
  server.call("/api/account", { method: "PUT", token: account.token, body: { language } });
const put = (language: string, subject: string, version = 0) =>
  server.call("/api/admin/mail-templates/password_reset", {
    method: "PUT",
    token: admin.token,
    body: { language, subject, text: "{{ link }}", version },
  });
const subjectInGerman = MAIL_TRANSLATIONS.de.password_reset?.subject.replace("{{ product }}", "Feather");
const SUBJECT_IN_ENGLISH = "Reset your password at Feather";

/** Sends a message and returns its subject. */
async function send(to: string, fallback?: FallbackLanguage): Promise<string> {
  const values = { link: LINK, providers: null };
  await server.api.mail.send({ template: passwordResetMail, values, to, ...(fallback && { fallback }) });
  const sent = await server.db.selectFrom("outbox").select("subject").executeTakeFirstOrThrow();
  return sent.subject;
}

describe("the language of a mail", () => {
  test("is that of the account with the address, whatever its case", async () => {
    await prefer(reader, "de");
    expect(await send("READER@example.com", { language: "fr" })).toBe(subjectInGerman);
  });

  test("is English for an account without a language", async () => {
    expect(await send("reader@example.com")).toBe(SUBJECT_IN_ENGLISH);
  });

  test("is English for people without an account, where nothing else is known", async () => {
    await prefer(reader, "de");
    expect(await send("stranger@example.com")).toBe(SUBJECT_IN_ENGLISH);
  });

  test("is that of another account, such as of who invites, for people without one", async () => {
    await prefer(admin, "de");
    expect(await send("stranger@example.com", { userId: admin.userId })).toBe(subjectInGerman);
  });

  test("is a stated one where the account is gone, and English for one that does not exist", async () => {
    expect(await send("gone@example.com", { language: "de" })).toBe(subjectInGerman);
    await server.db.deleteFrom("outbox").execute();
    expect(await send("gone@example.com", { language: "xx" })).toBe(SUBJECT_IN_ENGLISH);
  });
});

describe("words of the operator in several languages", () => {
  test("are sent in the language of the recipient", async () => {
    await put("en", "English words");
    await put("de", "German words");
    await prefer(reader, "de");
    expect(await send("reader@example.com")).toBe("German words");
  });

  test("are sent in English where there are none in the language of the recipient", async () => {
    await put("en", "English words");
    await prefer(reader, "de");
    expect(await send("reader@example.com")).toBe("English words");
  });

  test("of another language than the recipient's give way to the default", async () => {
    await put("fr", "French words");
    await prefer(reader, "de");
    expect(await send("reader@example.com")).toBe(subjectInGerman);
  });

  test("give way to those in English where they no longer fit their template", async () => {
    await put("en", "English words");
    await put("de", "German words");
    await server.db.updateTable("mail_templates").set({ body: "{{ removed }}" }).where("language", "=", "de").execute();
    await prefer(reader, "de");
    expect(await send("reader@example.com")).toBe("English words");
  });

  test("have versions of their own, and are listed with each template", async () => {
    await put("de", "German words");
    expect((await put("de", "Other words")).status).toBe(409);
    expect((await put("fr", "French words")).status).toBe(200);
    expect((await put("de", "Other words", 1)).body).toMatchObject({ language: "de", version: 2, is_edited: true });
    const read = async (query: string) =>
      (await server.call(`/api/admin/mail-templates/password_reset${query}`, { token: admin.token })).body;
    expect(await read("")).toMatchObject({ language: "en", version: 0, is_edited: false, subject: expect.any(String) });
    expect(await read("?language=de")).toMatchObject({
      subject: "Other words",
      default: { subject: expect.any(String) },
    });
    const { body } = await server.call("/api/admin/mail-templates?language=ja", { token: admin.token });
    const { items } = body as { items: { name: string; is_edited: boolean; edited_languages: string[] }[] };
    const listed = items.find(({ name }) => name === "password_reset");
    expect(listed).toMatchObject({ is_edited: false, edited_languages: expect.arrayContaining(["de", "fr"]) });
  });

  test("are reset in one language alone", async () => {
    await put("en", "English words");
    await put("de", "German words");
    const reset = await server.call("/api/admin/mail-templates/password_reset?language=de", {
      method: "DELETE",
      token: admin.token,
    });
    expect(reset.status).toBe(204);
    await prefer(reader, "de");
    expect(await send("reader@example.com")).toBe("English words");
    const entries = await server.db
      .selectFrom("audit_log")
      .select("details")
      .where("action", "=", "mail_templates.reset")
      .execute();
    expect(entries.map(({ details }) => details)).toContainEqual({ language: "de" });
  });

  test("a preview has the text below all mails in its language", async () => {
    const signature = (language: string, text: string) =>
      server.call("/api/admin/mail-templates/signature", {
        method: "PUT",
        token: admin.token,
        body: { language, subject: "", text, version: 0 },
      });
    await signature("en", "Yours");
    await signature("de", "Ihr Feather");
    const preview = async (language: string) => {
      const draft = { language, subject: "Hello", text: "{{ link }}" };
      const answer = await server.call("/api/admin/mail-templates/password_reset/preview", {
        token: admin.token,
        body: draft,
      });
      return (answer.body as { text: string }).text.split("\n").at(-1);
    };
    expect([await preview("de"), await preview("es")]).toEqual(["Ihr Feather", "Yours"]);
  });

  test("a language that does not exist is refused", async () => {
    expect((await put("xx", "Words")).status).toBe(400);
    const answer = await server.call("/api/admin/mail-templates?language=zh", { token: admin.token });
    expect(answer.status).toBe(400);
  });
});
