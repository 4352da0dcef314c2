import { describe, expect, test } from "vitest";
import type { EditableTemplate } from "./mail-template.ts";
import { findTemplateProblem, renderTemplate } from "./template-syntax.ts";

const TEMPLATE: EditableTemplate = {
  name: "test",
  group: "sign_in",
  title: "A test",
  description: "Never sent.",
  subject: "Hello {{ name }}",
  text: "{{ link }}",
  hasSubject: true,
  variables: {
    name: { description: "A name.", sample: "Maria", optional: true },
    link: { description: "A link.", sample: "https://example.com", required: true, secret: true },
    confirm_link: { description: "Another link.", sample: null, optional: true, required: true },
    is_new: { description: "A condition.", sample: true },
  },
};
const LINKS = "{{ link }} {{#confirm_link}}{{ confirm_link }}{{/confirm_link}}";
const VALUES = { product: "Feather", site: "https://feather.example", name: null, link: "L", confirm_link: null };
const problemOf = (text: string, subject = "Hello") => findTemplateProblem(TEMPLATE, { subject, text });
const render = (text: string, values: Record<string, string | boolean | null> = {}) =>
  renderTemplate({ subject: "s", text }, { ...VALUES, is_new: false, ...values }).text;

describe("findTemplateProblem", () => {
  test.each([
    ["an unknown variable", "{{ linc }}", "It has no variable {{ linc }}."],
    ["a property of a value", "{{ link.constructor }}", "It has no variable {{ link.constructor }}."],
    ["what every object has", "{{ constructor }}", "It has no variable {{ constructor }}."],
    ["the value of a section", "{{#name}}{{ . }}{{/name}}", "It has no variable {{ . }}."],
    ["an unknown section", `{{#names}}x{{/names}}${LINKS}`, "It has no variable {{ names }}."],
    ["a condition that is printed", `{{ is_new }}${LINKS}`, "{{ is_new }} is a condition"],
    ["another template", `{{> footer }}${LINKS}`, "Other templates cannot be included."],
    ["other signs", `{{=<% %>=}}${LINKS}`, "The signs around placeholders cannot be changed."],
    ["a placeholder without an end", "{{ link", "It cannot be read: Unclosed tag"],
    ["a section without an end", `{{#name}}${LINKS}`, "It cannot be read: Unclosed section"],
    ["sections that cross", `{{#name}}{{#is_new}}{{/name}}{{/is_new}}${LINKS}`, "It cannot be read: Unclosed section"],
    ["no text", " \n ", "It is empty."],
    ["no required variable", "Hello", "It needs {{ link }}, outside of conditions."],
    ["a required variable that may be left out", `{{#name}} ${LINKS} {{/name}}`, "It needs {{ link }}"],
    [
      "a required variable in the opposite of its section",
      "{{ link }} {{^confirm_link}}{{ confirm_link }}{{/confirm_link}}",
      "It needs {{ confirm_link }}, outside of conditions other than {{#confirm_link}}",
    ],
    ["characters that cannot be seen", `${LINKS}\u202e`, "characters that cannot be seen"],
    ["a NUL character", `${LINKS}\0`, "characters that cannot be seen"],
    ["too long a text", LINKS + "x".repeat(10_000), "longer than 10000 characters"],
    ["too many placeholders", LINKS + "{{ name }}".repeat(200), "more than 200 placeholders"],
    ["too deep sections", `${"{{#name}}".repeat(900)}${LINKS}`, "more than 200 placeholders"],
    [
      "a link that becomes part of another address",
      `https://evil.example/?${LINKS}`,
      "{{ link }} opens an account, so it needs a space",
    ],
    [
      "a link with something behind it",
      "{{ link }}.evil.example {{#confirm_link}}{{confirm_link}}{{/confirm_link}}",
      "it needs a space",
    ],
    [
      "a link after a section that prints an address",
      `https://evil.example/?{{#name}}{{/name}}${LINKS}`,
      "it needs a space",
    ],
    [
      "a link within a section that is not alone",
      `${LINKS} https://evil.example/{{#name}}{{ link }} {{/name}}`,
      "it needs a space",
    ],
  ])("refuses %s", (_, text, problem) => {
    expect(problemOf(text)).toMatchObject({ param: "text", problem: expect.stringContaining(problem) });
  });

  test.each([
    ["a line break", "Hello\nBcc: maria@example.com", "It has a line break."],
    ["nothing", " ", "It is empty."],
    ["hidden characters", "Hello\u200b", "characters that cannot be seen"],
    ["an unknown variable", "Hello {{ who }}", "It has no variable {{ who }}."],
    ["a link that opens an account", "{{ link }}", "{{ link }} opens an account, so it belongs into the text alone."],
    ["too many characters", "x".repeat(201), "longer than 200 characters"],
  ])("refuses a subject with %s", (_, subject, problem) => {
    expect(problemOf(LINKS, subject)).toMatchObject({ param: "subject", problem: expect.stringContaining(problem) });
  });

  test("accepts variables of every template, comments, and any way to write a placeholder", () => {
    expect(
      problemOf(
        "{{! a comment }} {{link}} {{{ name }}} {{& product }} {{ site }} {{#confirm_link}}{{confirm_link}}{{/confirm_link}}",
      ),
    ).toBeNull();
  });

  test("refuses a subject where a template has none", () => {
    const signature = { ...TEMPLATE, hasSubject: false };
    expect(findTemplateProblem(signature, { subject: "x", text: LINKS })).toMatchObject({ param: "subject" });
    expect(findTemplateProblem(signature, { subject: "", text: LINKS })).toBeNull();
  });
});

describe("renderTemplate", () => {
  test("leaves sections out where their variable has no value", () => {
    const text = "A\n{{#name}}\nHello {{ name }}\n{{/name}}\n{{^name}}\nHello\n{{/name}}\nB";
    expect(render(text)).toBe("A\nHello\nB");
    expect(render(text, { name: "Maria" })).toBe("A\nHello Maria\nB");
  });

  test("changes nothing in values: no HTML is escaped, and placeholders in them stay", () => {
    expect(render("{{ name }}", { name: `<b>&"'/ {{ link }} {{#is_new}}` })).toBe(`<b>&"'/ {{ link }} {{#is_new}}`);
  });

  test("has one line in the subject, of 300 characters at most", () => {
    const values = { ...VALUES, is_new: true, name: `a\r\nBcc: b@example.com\t${"x".repeat(400)}` };
    const { subject } = renderTemplate({ subject: "{{ name }}", text: "x" }, values);
    expect(subject).toMatch(/^a Bcc: b@example.com x+$/);
    expect(subject).toHaveLength(300);
  });

  test("throws for a text that is too long with its values", () => {
    expect(() => render("{{ name }}".repeat(100), { name: "x".repeat(5_000) })).toThrow("too long");
  });
});
