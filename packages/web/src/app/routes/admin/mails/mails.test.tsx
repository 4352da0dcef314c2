import type { MailTemplate, MailTemplateSummary } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { adminHandlers } from "#/testing/admin.ts";
import { renderPage, SITE_CONFIG } from "#/testing/page.tsx";
import AdminMailPage from "./mail.tsx";
import AdminMailsPage from "./mails.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const NAME = { params: { name: "payment_failed" } };
const summary: Sent<MailTemplateSummary> = {
  name: "payment_failed",
  group: "dunning",
  title: "Payment failed",
  description: "Sent after each attempt that fails.",
  is_edited: true,
  edited_languages: ["en"],
  edited_by: "Ada",
  edited_at: "2026-11-19T14:01:02Z",
  has_new_default: false,
  problem: null,
};
const template: Sent<MailTemplate> = {
  ...summary,
  language: "en",
  has_subject: true,
  version: 3,
  subject: "Invoice {{ number }}",
  text: "Please pay {{ number }}.",
  default: { subject: "Invoice {{ number }}", text: "It could not be paid." },
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
      description: "Whether it was declined.",
      is_condition: true,
      is_optional: false,
      is_required: false,
    },
  ],
};
const receipt: Sent<MailTemplateSummary> = {
  ...summary,
  name: "receipt",
  group: "billing",
  title: "Receipt",
  is_edited: false,
  edited_by: null,
  edited_at: null,
};
const preview = http.admin.mailTemplates.preview({ subject: "Invoice F-1", text: "Please pay F-1." }, NAME);

const showList = (items: Sent<MailTemplateSummary>[], handlers: StubHandlers = [], address = "/x") =>
  renderPage(
    <ToastProvider>
      <AdminMailsPage />
    </ToastProvider>,
    "/x",
    address,
    [...handlers, http.admin.mailTemplates.list({ items }), ...adminHandlers],
  );
const showMail = (handlers: StubHandlers = [], address = "/admin/mails/payment_failed") =>
  renderPage(
    <ToastProvider>
      <AdminMailPage />
    </ToastProvider>,
    "/admin/mails/:name",
    address,
    [...handlers, http.admin.mailTemplates.get(template, NAME), preview, ...adminHandlers],
  );
const field = (label: string) => screen.findByLabelText<HTMLTextAreaElement>(label);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const bodiesOf = (requests: ReturnType<typeof showMail>["requests"], method: string, end: string) =>
  requests.filter((one) => one.method === method && one.path.endsWith(end)).map(({ body }) => body);

describe("the admin page of mails", () => {
  test("lists mails in groups, with who edited them, and what is not used or has a new default", async () => {
    const broken = {
      ...summary,
      name: "plan_ended",
      title: "Plan ended",
      problem: "Text: It has no variable {{ x }}.",
    };
    const outdated = { ...summary, name: "card_expiring", title: "Card expires", has_new_default: true };
    showList([receipt, summary, broken, outdated]);
    const dunning = within(await screen.findByRole("region", { name: "Dunning" }));
    const row = within(dunning.getByRole("row", { name: /Payment failed/ }));
    expect(row.getByRole("link", { name: "Payment failed" }).getAttribute("href")).toBe("/admin/mails/payment_failed");
    expect(row.getByText("edited")).toBeTruthy();
    expect(row.getByText("Ada")).toBeTruthy();
    expect(dunning.getByText("not used")).toBeTruthy();
    expect(dunning.getByText("edited, new default")).toBeTruthy();
    expect(within(screen.getByRole("region", { name: "Billing" })).getByText("default")).toBeTruthy();
    expect(screen.queryByRole("region", { name: "Operations" })).toBeNull();
  });

  test("shows those that were edited, and those that contain a text", async () => {
    showList([receipt, summary], [], "/x?words=edited");
    expect(await screen.findByText("Payment failed")).toBeTruthy();
    expect(screen.queryByText("Receipt")).toBeNull();
    showList([receipt, summary], [], "/x?search=nothing");
    expect(await screen.findByText("No mail fits these filters.")).toBeTruthy();
  });

  test("says that mails stay in the outbox without a mail server, and which setting names one", async () => {
    showList([receipt], [http.system.config({ ...SITE_CONFIG, mail: "off" })]);
    expect((await screen.findByRole("link", { name: "SMTP_URL" })).getAttribute("href")).toBe(
      "/admin/settings?search=SMTP_URL",
    );
    expect(screen.getByRole("link", { name: "outbox" }).getAttribute("href")).toBe("/admin/outbox");
  });
});

describe("the editor of a mail", () => {
  test("shows the mail with sample values, and the differences to the default", async () => {
    showMail();
    expect((await screen.findByText("Please pay F-1.")).textContent).toBe("Please pay F-1.");
    await userEvent.click(screen.getByText("Differences to the default"));
    expect(screen.getByText(/- It could not be paid\./).tagName).toBe("DEL");
    expect(screen.getByText(/\+ Please pay {{ number }}\./).tagName).toBe("INS");
  });

  test("previews and saves what is written, with the version that it began with", async () => {
    const saved = { ...template, version: 4, text: "Pay now." };
    const { requests } = showMail([http.admin.mailTemplates.set(saved, NAME)]);
    const text = await field("Text");
    await userEvent.clear(text);
    await userEvent.type(text, "Pay now.");
    await waitFor(() =>
      expect(bodiesOf(requests, "POST", "/preview")).toContainEqual({
        language: "en",
        subject: template.subject,
        text: "Pay now.",
      }),
    );
    await press("Save");
    expect(await screen.findByText("Payment failed: saved")).toBeTruthy();
    expect(bodiesOf(requests, "PUT", "/payment_failed")).toEqual([
      { language: "en", subject: template.subject, text: "Pay now.", version: 3 },
    ]);
  });

  test("puts a variable where the cursor is, and a condition around what is selected", async () => {
    showMail();
    const text = await field("Text");
    await userEvent.click(text);
    text.setSelectionRange(7, 7);
    await press("Insert {{ number }}");
    expect(text.value).toBe("Please {{ number }}pay {{ number }}.");
    text.setSelectionRange(0, 6);
    await press("Insert {{#is_declined}}…{{/is_declined}}");
    expect(text.value).toBe("{{#is_declined}}Please{{/is_declined}} {{ number }}pay {{ number }}.");
    const subject = await field("Subject");
    await userEvent.click(subject);
    subject.setSelectionRange(0, 0);
    await press("Insert {{ number }}");
    expect(subject.value).toBe("{{ number }}Invoice {{ number }}");
  });

  test("shows what is wrong with the draft in place of the preview", async () => {
    showMail([
      http.admin.mailTemplates.preview(refuse(400, "mail_templates.not_valid", "It has no variable {{ nr }}."), NAME),
    ]);
    expect(await screen.findByText("It has no variable {{ nr }}.")).toBeTruthy();
  });

  test("lets an admin choose when another one has changed the mail meanwhile", async () => {
    let version = 3;
    const { requests } = showMail([
      http.admin.mailTemplates.get(() => ({ ...template, version, edited_by: version === 3 ? "Ada" : "Bo" }), NAME),
      http.admin.mailTemplates.set(() => {
        version = 4;
        return refuse(409, "mail_templates.changed", "Another admin changed this template meanwhile.");
      }, NAME),
    ]);
    await userEvent.type(await field("Text"), " Thanks.");
    await press("Save");
    expect(await screen.findByText(/^Bo changed this mail while you were editing it/)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
    await press("Go on with mine");
    await press("Save");
    await waitFor(() =>
      expect(bodiesOf(requests, "PUT", "/payment_failed")).toEqual([
        { language: "en", subject: template.subject, text: `${template.text} Thanks.`, version: 3 },
        { language: "en", subject: template.subject, text: `${template.text} Thanks.`, version: 4 },
      ]),
    );
  });

  test("resets the mail after a question, and sends a test of the draft", async () => {
    const { requests } = showMail([
      http.admin.mailTemplates.delete(undefined, NAME),
      http.admin.mailTemplates.test({ to: "ada@example.com" }, NAME),
    ]);
    await press("Send me a test");
    expect(await screen.findByText("A test is on its way to ada@example.com")).toBeTruthy();
    expect(bodiesOf(requests, "POST", "/test")).toEqual([
      { language: "en", subject: template.subject, text: template.text },
    ]);
    await press("Reset to the default");
    await press("Reset the mail");
    expect(await screen.findByText("Payment failed: has its default words")).toBeTruthy();
    expect(requests.some(({ method }) => method === "DELETE")).toBe(true);
  });

  test("shows and changes the mail in the language that is chosen", async () => {
    const german: Sent<MailTemplate> = {
      ...template,
      language: "de",
      is_edited: false,
      version: 0,
      text: "Bitte zahlen.",
    };
    const { requests } = showMail(
      [http.admin.mailTemplates.get(german, NAME), http.admin.mailTemplates.set({ ...german, version: 1 }, NAME)],
      "/admin/mails/payment_failed?language=de",
    );
    await userEvent.type(await field("Text"), " Danke.");
    expect(screen.getByText(/^This mail is edited in English alone/)).toBeTruthy();
    expect(screen.getByRole("combobox", { name: "Language" }).textContent).toBe("Deutsch");
    await press("Save");
    await waitFor(() =>
      expect(bodiesOf(requests, "PUT", "/payment_failed")).toEqual([
        { language: "de", subject: template.subject, text: "Bitte zahlen. Danke.", version: 0 },
      ]),
    );
    expect(requests.find(({ path }) => path.endsWith("/payment_failed"))?.query.get("language")).toBe("de");
  });

  test("says that its words are not used, and that the default has changed", async () => {
    showMail([
      http.admin.mailTemplates.get(
        {
          ...template,
          problem: "Text: It has no variable {{ x }}.",
          has_new_default: true,
          earlier_default: { subject: template.subject, text: "Before." },
        },
        NAME,
      ),
    ]);
    expect(await screen.findByText(/so the default is sent\. Text: It has no variable/)).toBeTruthy();
    await userEvent.click(screen.getByText("The default has changed since this mail was edited"));
    expect(screen.getByText(/- Before\./).tagName).toBe("DEL");
  });

  test("says that there is no mail of a name", async () => {
    showMail([http.admin.mailTemplates.get(refuse(404, "mail_templates.not_found", "There is no template."), NAME)]);
    expect(await screen.findByText("There is no mail payment_failed.")).toBeTruthy();
  });
});
