import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ERROR_MESSAGES } from "../platform/core/errors/factories.generated.ts";
import { LANGUAGES, type TranslatedLanguage } from "../platform/core/languages/languages.ts";
import { COMMON_VARIABLES, type MailTemplate, SIGNATURE, translateTemplate } from "../platform/mail/mail-template.ts";
import { toEditable } from "../platform/mail/render-mail.ts";
import {
  findTemplateProblem,
  renderTemplate,
  type TemplateValues,
  toSampleValues,
} from "../platform/mail/template-syntax.ts";
import { MAIL_TEMPLATES } from "./mail-templates.ts";
import { listSettings } from "./settings.ts";
import { ERROR_TRANSLATIONS, MAIL_TRANSLATIONS, TEXT_TRANSLATIONS } from "./translations.ts";

const COMMON = { product: "Feather", site: "https://feather.example" };
const TEMPLATES: readonly MailTemplate[] = MAIL_TEMPLATES;
const TRANSLATED = LANGUAGES.filter((language): language is TranslatedLanguage => language !== "en");

/** Messages of errors that are written in the code, and that people of the site read. */
const MESSAGES: readonly string[] = [
  "E-mail or password is wrong.",
  "E-mail or password is wrong, or the address is not confirmed yet: then open the link in the message you were sent, or choose a new password.",
  "There is an account with this e-mail already. Log in instead.",
  "Somebody has this username already. Choose another.",
  "This is not your present password.",
  "The password is wrong.",
  "There is an admin already, so this link has ended. Log in, or ask that admin for an account.",
  "This code is wrong, or was used already. Take the next one.",
  "This code is wrong. Look at the clock of your device, and take the next one.",
  "This password is among the first that are guessed: a common word or a name with digits or signs around it. Choose another.",
  "You became an admin just now. Look at your account again.",
  "You are the last admin of this platform. Make somebody else one first.",
  "This is not the password that was chosen in the sign-up of this link.",
  "This is not the password of the account. Enter it, or log in to the account first.",
  "You logged in a while ago. Enter your password to confirm that it is you.",
  "This invitation is for another e-mail address. Use that one.",
  "This invitation was sent to another e-mail. Log in with the account that has it.",
  "This is the last admin of the organization. Make somebody else an admin first.",
  "This is the last admin. Make somebody else an admin first.",
  "You cannot reset your own second factor. Switch it off instead.",
  "You cannot suspend your own account.",
  "Only people who are signed in have a plan and an e-mail.",
  "What is callable depends on the caller. Sign in, or send an API key.",
  "What is saved depends on the caller. Sign in, or send an API key.",
  "What fits this machine is shown to its users only. Sign in, or send an API key.",
  "The readme is too long or too complex to be shown. Make it simpler.",
  "A conversation holds at most 5,000 messages. Begin another one.",
  "Prompts and personas can take 1 MB together.",
  "Many pictures are being drawn just now. Ask again in a few seconds.",
  "The server of this installation that has it does not respond. Try again in a moment.",
  "The leading server of this installation does not respond. Another one takes over within seconds: try again.",
  "What this is about was changed or deleted at the same time. Look at it again, and try once more.",
  "The same call is still running. Ask again in a moment.",
  "The request did not arrive in time.",
  "The file is empty.",
  "Your organization sends too many large requests at the same moment. Try again in a second.",
  "The model hub cannot be reached just now. Try again in a minute.",
  "Too many files of models are being read. Try again in a moment.",
  "The backend takes no request so large.",
  "The backend is at its limit just now. Try again in a moment.",
  "The answer is no longer needed.",
  "The backend stopped in the middle of the answer.",
  "Add a card first.",
  "There is no card to which the plan can be charged when its period ends.",
  "Automatic top-ups are paused until they are set again.",
  "There are too many requests in this period. Take a shorter one.",
  "Somebody is on this plan, so how it is paid for stays. Make another plan, and take this one off sale.",
  "Somebody pays for this plan. Take it off sale, and leave it its price.",
  "This setup intent holds no confirmed card.",
  "This rule would send the path to itself.",
  "The permission of this application was taken back.",
  "This request carries two different credentials. Send one: a session, or a key.",
  "This call needs a signed-in session.",
  "The stored key belongs to the address before. Send api_key again with the new address, or null for none.",
  "Put the key into api_key, not into the address.",
  "The address must start with https:// or http://.",
  "The address must not hold a user name or a password.",
  "The address is not a valid URL.",
];

/** The descriptions of settings and mails that admins read. */
const DESCRIPTIONS: readonly string[] = [
  ...listSettings().map(({ doc }) => doc),
  ...[...TEMPLATES, SIGNATURE].flatMap(({ title, description, variables }) => [
    title,
    description,
    ...Object.values(variables).map((variable) => variable.description),
  ]),
  ...Object.values(COMMON_VARIABLES).map(({ description }) => description),
];

/** Returns what stands in braces in a text, each once. */
const placeholdersIn = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([found]) => found.replaceAll(/\s/g, "")))].sort();

describe.each(TRANSLATED)("the texts of the server in the language %s", (language) => {
  const errors = ERROR_TRANSLATIONS[language];
  const mails = MAIL_TRANSLATIONS[language];

  test("every error with a message has one, with the same values", () => {
    expect(Object.keys(errors).sort()).toEqual(Object.keys(ERROR_MESSAGES).sort());
    for (const [code, english] of Object.entries(ERROR_MESSAGES)) {
      expect(errors[code]?.trim(), code).not.toBe("");
      expect(placeholdersIn(errors[code] ?? "", /\{\w+\}/g), code).toEqual(placeholdersIn(english, /\{\w+\}/g));
    }
  });

  test("every description and every message of the code is there, with the settings that it names, and no other", () => {
    const texts = TEXT_TRANSLATIONS[language];
    expect(Object.keys(texts).sort()).toEqual([...new Set([...DESCRIPTIONS, ...MESSAGES])].sort());
    for (const [english, translated] of Object.entries(texts)) {
      expect(translated.trim(), english).not.toBe("");
      expect(placeholdersIn(translated, /FEATHER_[A-Z_]+/g), english).toEqual(
        placeholdersIn(english, /FEATHER_[A-Z_]+/g),
      );
    }
  });

  test("every mail has its words, and no other", () => {
    expect(Object.keys(mails).sort()).toEqual(TEMPLATES.map(({ name }) => name).sort());
  });

  test.each(TEMPLATES.map((template) => [template.name, template] as const))(
    "the mail %s uses the variables of its template, and reads well with and without them",
    (name, template) => {
      const translated = translateTemplate(toEditable(template), language, MAIL_TRANSLATIONS);
      expect(translated.text).not.toBe(template.text);
      expect(findTemplateProblem(translated, translated)).toBeNull();
      for (const part of ["subject", "text"] as const)
        expect(placeholdersIn(mails[name]?.[part] ?? "", /\{\{[^}]*\}\}/g)).toEqual(
          placeholdersIn(template[part], /\{\{[^}]*\}\}/g),
        );
      for (const values of [toSampleValues(template, COMMON), withoutOptional(template)]) {
        const { subject, text } = renderTemplate(translated, values);
        expect(`${subject}\n${text}`).not.toMatch(/\{\{|\}\}|undefined|null|\n{3}|\s$/);
        expect([subject, text]).not.toContain("");
      }
    },
  );
});

test("the messages of the code that are translated are those of the code", () => {
  const root = join(import.meta.dirname, "..");
  const sources = globSync("**/*.ts", { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
  expect(MESSAGES.filter((message) => !sources.includes(message))).toEqual([]);
});

/** Returns the values of the samples without those that are optional, and with conditions that do not hold. */
function withoutOptional({ variables }: MailTemplate): TemplateValues {
  const absent = Object.entries(variables)
    .filter(([, { optional, sample }]) => optional || typeof sample === "boolean")
    .map(([name, { optional }]) => [name, optional ? null : false] as const);
  return { ...toSampleValues({ variables }, COMMON), ...Object.fromEntries(absent) };
}
