import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MailKind } from "../platform/mail/index.ts";
import { COMMON_VARIABLES, type MailTemplate, type MailVariables } from "../platform/mail/mail-template.ts";
import { toEditable } from "../platform/mail/render-mail.ts";
import {
  findTemplateProblem,
  renderTemplate,
  type TemplateValues,
  toSampleValues,
} from "../platform/mail/template-syntax.ts";
import { HOSTILE_TEXTS } from "../testing/hostile-texts.ts";
import { MAIL_TEMPLATES } from "./mail-templates.ts";

const COMMON = { product: "Feather", site: "http://localhost:4000" };
const TEMPLATES: readonly MailTemplate[] = MAIL_TEMPLATES;
const LINE_BREAKS = "A\r\nBcc: evil@example.com\u2028B";

/** Values of a template: `toText` for its texts, and what `toCondition` returns for its conditions. */
function toValues(variables: MailVariables, text: string | null, condition: boolean): TemplateValues {
  const own = Object.entries(variables).map(([name, { sample, optional }]) => [
    name,
    typeof sample === "boolean" ? condition : text === null && !optional ? "x" : text,
  ]);
  return { ...Object.fromEntries(own), ...COMMON };
}

describe("the templates of mails", () => {
  test("the list holds what all modules declare", async () => {
    const root = join(import.meta.dirname, "..");
    const declared: MailTemplate[] = [];
    for (const file of globSync("**/*.mails.ts", { cwd: root })) {
      const exported = Object.values<unknown>(await import(join(root, file)));
      declared.push(...exported.filter((value): value is MailTemplate => !Array.isArray(value)));
    }
    expect(new Set(TEMPLATES.map(({ name }) => name))).toEqual(new Set(declared.map(({ name }) => name)));
    expect(TEMPLATES).toHaveLength(declared.length);
  });

  test("every kind of message but tests of templates has a template", () => {
    type Missing = Exclude<MailKind, (typeof MAIL_TEMPLATES)[number]["kind"] | "template_test">;
    expect([] satisfies Missing[]).toEqual([]);
    expect(true satisfies Missing extends never ? true : false).toBe(true);
  });

  test("no name is used twice, and no variable has the name of one that every template has", () => {
    expect(new Set(TEMPLATES.map(({ name }) => name)).size).toBe(TEMPLATES.length);
    for (const { variables } of TEMPLATES)
      expect(Object.keys(variables).filter((name) => Object.hasOwn(COMMON_VARIABLES, name))).toEqual([]);
  });

  test.each(TEMPLATES.map((template) => [template.name, template] as const))(
    "%s fits its own variables",
    (_, template) => {
      expect(findTemplateProblem(toEditable(template), template)).toBeNull();
    },
  );

  test.each(TEMPLATES.map((template) => [template.name, template] as const))(
    "%s uses each of its variables",
    (_, template) => {
      const words = `${template.subject} ${template.text}`;
      for (const name of Object.keys(template.variables)) expect(words).toMatch(new RegExp(`\\{\\{[#^ ]?${name}\\b`));
    },
  );

  test.each(TEMPLATES.map((template) => [template.name, template] as const))(
    "%s can be read with its samples, and without what is optional",
    (_, template) => {
      const all = [toSampleValues(template, COMMON), toValues(template.variables, null, false)];
      for (const values of [...all, toValues(template.variables, "x", true)]) {
        const { subject, text } = renderTemplate(template, values);
        expect(`${subject}\n${text}`).not.toMatch(/\{\{|\}\}|undefined|null|\n{3}| {2}|\s$/);
        expect([subject, text]).not.toContain("");
      }
    },
  );

  test.each(TEMPLATES.map((template) => [template.name, template] as const))(
    "%s has hostile values as they are, in a subject of one line",
    (_, template) => {
      for (const hostile of [...HOSTILE_TEXTS, LINE_BREAKS, "{{ link }} {{#a}}", "$& $1"]) {
        const { subject, text } = renderTemplate(template, toValues(template.variables, hostile, true));
        expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        if (/\{\{ (?!product|site)/.test(template.text)) expect(text).toContain(hostile.trimEnd());
      }
    },
  );
});
