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

  test("every description of a setting or a mail is there, with the settings that it names, and no other", () => {
    const texts = TEXT_TRANSLATIONS[language];
    expect(Object.keys(texts).sort()).toEqual([...new Set(DESCRIPTIONS)].sort());
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

/** Returns the values of the samples without those that are optional, and with conditions that do not hold. */
function withoutOptional({ variables }: MailTemplate): TemplateValues {
  const absent = Object.entries(variables)
    .filter(([, { optional, sample }]) => optional || typeof sample === "boolean")
    .map(([name, { optional }]) => [name, optional ? null : false] as const);
  return { ...toSampleValues({ variables }, COMMON), ...Object.fromEntries(absent) };
}
