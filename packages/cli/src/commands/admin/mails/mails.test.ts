import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorResponse } from "@feather/testing/errors";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";
import { formatMailFile, parseMailFile } from "./mail-text.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-mails-"));
afterAll(() => rmSync(folder, { recursive: true }));

const summary = {
  name: "payment_failed",
  group: "dunning",
  title: "Payment failed",
  description: "Sent after each attempt that fails.",
  is_edited: true,
  edited_languages: ["en"],
  edited_by: "Ada",
  edited_at: "2026-11-19T14:01:02.000Z",
  has_new_default: false,
  problem: null as string | null,
};
const template = {
  ...summary,
  language: "en",
  has_subject: true,
  version: 3,
  subject: "Invoice {{ number }}",
  text: "Hello,\n\n{{ number }} is open.",
  default: { subject: "{{ number }} could not be paid", text: "Pay {{ number }}." },
  earlier_default: null,
  variables: [
    {
      name: "number",
      description: "Number of the invoice.",
      is_condition: false,
      is_optional: false,
      is_required: true,
    },
    {
      name: "is_declined",
      description: "Whether the card was declined.",
      is_condition: true,
      is_optional: false,
      is_required: false,
    },
  ],
};
const untouched = { ...summary, name: "receipt", title: "Receipt", is_edited: false, edited_by: null, edited_at: null };
const german = { ...untouched, edited_languages: ["de"] };
const broken = {
  ...summary,
  name: "card_expiring",
  title: "Card expires",
  problem: "Text: It has no variable {{ x }}.",
};
let refusal: ReturnType<typeof errorResponse> | null = null;
beforeEach(() => {
  refusal = null;
});

const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /admin/mail-templates": ({ query }) => ({
    body: { items: query.get("language") === "de" ? [german] : [summary, untouched, broken] },
  }),
  "GET /admin/mail-templates/payment_failed": ({ query }) => ({
    body: query.get("language") === "de" ? { ...template, language: "de", version: 7 } : template,
  }),
  "DELETE /admin/mail-templates/payment_failed?language=de&version=7": () => ({ status: 204 }),
  "GET /admin/mail-templates/receipt": () => ({ body: { ...template, ...untouched, version: 0 } }),
  "GET /admin/mail-templates/none": () =>
    errorResponse(404, "mail_templates.not_found", "There is no template of this name."),
  "PUT /admin/mail-templates/payment_failed": ({ body }) => refusal ?? { body: { ...template, ...(body as object) } },
  "DELETE /admin/mail-templates/payment_failed?version=3": () => ({ status: 204 }),
  "POST /admin/mail-templates/payment_failed/preview": () => ({
    body: { subject: "Invoice F-1", text: "Hello,\n\nF-1 is open." },
  }),
  "POST /admin/mail-templates/payment_failed/test": () => ({ body: { to: "ada@example.com" } }),
});
const write = (text: string): string => {
  const file = join(folder, "mail.txt");
  writeFileSync(file, text);
  return file;
};

describe("admin mails list", () => {
  test("shows which mails were edited, and whose words are not used", async () => {
    const { out } = await runInteractive("admin mails list");
    expect(out).toMatch(/payment_failed +dunning +Payment failed +edited +1 day ago +Ada/);
    expect(out).toMatch(/receipt +dunning +Receipt +default/);
    expect(out).toMatch(/card_expiring .*not used/);
  });

  test("needs a sign-in", async () => {
    expect((await runAnonymous("admin mails list")).code).toBe(4);
  });
});

describe("admin mails show", () => {
  test("prints the words as a file has them, and the variables beside", async () => {
    const { out, err } = await run("admin mails show payment_failed");
    expect(out).toBe("Subject: Invoice {{ number }}\n\nHello,\n\n{{ number }} is open.\n");
    expect(err).toContain("{{ number }}  Number of the invoice. Required.");
    expect(err).toContain("{{#is_declined}}…{{/is_declined}}  Whether the card was declined.");
    expect((await run("admin mails show payment_failed --default")).out).toBe(
      "Subject: {{ number }} could not be paid\n\nPay {{ number }}.\n",
    );
    expect((await run("admin mails show payment_failed --json version")).out).toBe('{"version":3}\n');
    expect((await run("admin mails show none")).code).toBe(3);
  });
});

describe("admin mails edit", () => {
  test("sends subject and text of a file with the version that was read", async () => {
    const file = write("Subject: New {{ number }}\n\nPay.\n\nThanks.\n");
    const { out, err } = await run(["admin", "mails", "edit", "payment_failed", "--file", file]);
    expect([out, err]).toEqual(["payment_failed\n", "Payment failed: mails have these words from now on.\n"]);
    expect(requests().at(-1)).toMatchObject({
      method: "PUT",
      body: { subject: "New {{ number }}", text: "Pay.\n\nThanks.", version: 3 },
    });
  });

  test("keeps what is not given: a file without a subject, or a subject alone", async () => {
    await run(["admin", "mails", "edit", "payment_failed", "--file", "-"], { stdin: "Only text\n" });
    expect(requests().at(-1)?.body).toEqual({ subject: template.subject, text: "Only text", version: 3 });
    await run(["admin", "mails", "edit", "payment_failed", "--subject", "Other"]);
    expect(requests().at(-1)?.body).toEqual({ subject: "Other", text: template.text, version: 3 });
  });

  test("opens the editor for a person, and sends what was saved", async () => {
    const editor = `${process.execPath} -e "const fs=require('fs');const f=process.argv[1];fs.writeFileSync(f,fs.readFileSync(f,'utf8').replace('open','late'))"`;
    const { code } = await runInteractive("admin mails edit payment_failed", {
      interactive: true,
      env: { VISUAL: editor },
    });
    expect(code).toBe(0);
    expect(requests().at(-1)?.body).toMatchObject({
      subject: template.subject,
      text: "Hello,\n\n{{ number }} is late.",
    });
  });

  test("changes nothing when the editor leaves the text as it is", async () => {
    const { err } = await runInteractive("admin mails edit payment_failed", {
      interactive: true,
      env: { VISUAL: "true" },
    });
    expect(err).toContain("Nothing was changed.");
    expect(requests().map(({ method }) => method)).toEqual(["GET"]);
  });

  test("keeps a text of the editor that is refused", async () => {
    refusal = errorResponse(409, "mail_templates.changed", "Another admin changed this template meanwhile.");
    const editor = `${process.execPath} -e "require('fs').writeFileSync(process.argv[1],'Long work')"`;
    const { code, err } = await runInteractive("admin mails edit payment_failed", {
      interactive: true,
      columns: 400,
      env: { VISUAL: editor },
    });
    expect(code).toBe(6);
    const file = /--file (\S+)/.exec(err)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toBe("Subject: Invoice {{ number }}\n\nLong work\n");
    rmSync(file);
  });

  test("asks for a file where there is no terminal", async () => {
    const { code, err } = await run("admin mails edit payment_failed");
    expect([code, err]).toEqual([2, expect.stringContaining("--file")]);
  });
});

describe("admin mails preview, test and reset", () => {
  test("preview prints the mail with its values", async () => {
    expect((await run("admin mails preview payment_failed")).out).toBe(
      "Subject: Invoice F-1\n\nHello,\n\nF-1 is open.\n",
    );
    expect(requests().at(-1)?.body).toEqual({ subject: template.subject, text: template.text });
    await run(["admin", "mails", "preview", "payment_failed", "--file", write("Draft")]);
    expect(requests().at(-1)?.body).toEqual({ subject: template.subject, text: "Draft" });
  });

  test("test says where the mail goes", async () => {
    const { out, err } = await run("admin mails test payment_failed");
    expect([out, err]).toEqual(["ada@example.com\n", "A test is on its way to ada@example.com.\n"]);
  });

  test("reset asks, and names the version that it resets", async () => {
    expect((await run("admin mails reset payment_failed")).code).toBe(2);
    const { err } = await run("admin mails reset payment_failed --yes");
    expect(err).toBe("Payment failed: mails have the default words from now on.\n");
    expect((await run("admin mails reset receipt --yes")).err).toBe("Receipt: it has its default words.\n");
  });
});

test.each([
  { subject: "A", text: "B" },
  { subject: "A: {{ b }}", text: "Subject: no\n\nC" },
  { subject: "", text: "Only text\n\nwith lines" },
])("a file of %j is read as it was written", (mail) => {
  expect(parseMailFile(`${formatMailFile(mail)}\n`, mail.subject)).toEqual(mail);
});

describe("the language of a mail", () => {
  test("is named to all commands, and English without it", async () => {
    await run(["admin", "mails", "edit", "payment_failed", "--language", "de", "--subject", "Rechnung"]);
    expect(requests().at(-1)?.body).toMatchObject({ language: "de", subject: "Rechnung", version: 7 });
    await run("admin mails preview payment_failed --language de");
    expect(requests().at(-1)?.body).toMatchObject({ language: "de", subject: template.subject });
    expect((await run("admin mails test payment_failed --language de")).out).toBe("ada@example.com\n");
    expect((await run("admin mails show payment_failed --language de --json language,version")).out).toBe(
      '{"language":"de","version":7}\n',
    );
    expect((await run("admin mails reset payment_failed --language de --yes")).code).toBe(0);
    expect(requests().at(-1)?.method).toBe("DELETE");
    expect((await run("admin mails list --language de --json name,edited_languages")).out).toBe(
      '[{"name":"receipt","edited_languages":["de"]}]\n',
    );
  });

  test("is one of those that there are", async () => {
    const { code, err } = await run("admin mails show payment_failed --language nl");
    expect(code).toBe(2);
    expect(err).toContain("zh-Hans");
  });
});
