import mustache from "mustache";
import { cutText } from "../core/texts/cut-text.ts";
import { COMMON_VARIABLES, type CommonValues, type EditableTemplate, type MailText } from "./mail-template.ts";

/** Why a text cannot be the text of a template, in a sentence, and which of the two it is about. */
export type TemplateProblem = { param: keyof MailText; problem: string };
/** The values of a message, with those that every template may use. */
export type TemplateValues = Readonly<Record<string, string | boolean | null>> & CommonValues;

type Token = readonly [type: string, name: string, start: number, end: number, children?: readonly Token[]];
type Variables = EditableTemplate["variables"];

/** Longest texts that are stored, in characters. The contract has the same. */
const MAX_LENGTH = { subject: 200, text: 10_000 } as const;
/** Placeholders, and beginnings and ends of sections, in a text. They bound how long a rendered text can be. */
const MAX_TAGS = 200;
const MAX_RENDERED_CHARACTERS = 100_000;
const MAX_RENDERED_SUBJECT_CHARACTERS = 300;
/** Control characters but line breaks and tabs, and characters that cannot be seen or change the direction of a line. */
const HIDDEN = /[^\P{Cc}\n\t]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const LINE_BREAKS = /[\p{Cc}\u2028\u2029]+/gu;
const REFUSED_TAGS: Readonly<Record<string, string>> = {
  ">": "Other templates cannot be included.",
  "=": "The signs around placeholders cannot be changed.",
};

/** Without the cache of the library, which keeps every text that was ever previewed. */
const writer = new mustache.Writer();
Object.assign(writer, { templateCache: undefined });

const parseTokens = (text: string): readonly Token[] => writer.parse(text);

/** Returns the line breaks of Windows as those of other systems. */
export const normalizeLineBreaks = (text: string): string => text.replaceAll("\r\n", "\n");

/**
 * Returns why a subject and text cannot replace those of a template; null if they can. They must parse, use its variables
 * only, and contain those that are required wherever they have a value.
 */
export function findTemplateProblem(template: EditableTemplate, { subject, text }: MailText): TemplateProblem | null {
  if (!template.hasSubject && subject !== "") return { param: "subject", problem: "It has no subject." };
  const subjectProblem = template.hasSubject ? findSubjectProblem(subject, template.variables) : null;
  if (subjectProblem !== null) return { param: "subject", problem: subjectProblem };
  const problem = text.trim() === "" ? "It is empty." : findTextProblem("text", text, template.variables);
  if (problem !== null) return { param: "text", problem };
  const missing = findMissingVariable(text, template.variables);
  if (missing === null) return null;
  const own = `{{#${missing}}} … {{/${missing}}}`;
  return {
    param: "text",
    problem: `It needs {{ ${missing} }}, outside of conditions${template.variables[missing]?.optional ? ` other than ${own}` : ""}.`,
  };
}

function findSubjectProblem(subject: string, variables: Variables): string | null {
  if (subject.trim() === "") return "It is empty.";
  if (subject.includes("\n")) return "It has a line break.";
  return findTextProblem("subject", subject, variables);
}

function findTextProblem(part: keyof MailText, text: string, variables: Variables): string | null {
  if (text.length > MAX_LENGTH[part]) return `It is longer than ${MAX_LENGTH[part]} characters.`;
  if (HIDDEN.test(text)) return "It holds characters that cannot be seen.";
  if (text.split("{{").length > MAX_TAGS + 1) return `It has more than ${MAX_TAGS} placeholders.`;
  try {
    const tokens = parseTokens(text);
    return findTagProblem(tokens, variables) ?? findExposedSecret(part, text, tokens, variables);
  } catch (error) {
    return `It cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** Returns what is wrong with the first wrong tag; null if all may be used. */
function findTagProblem(tokens: readonly Token[], variables: Variables): string | null {
  for (const [type, name, , , children] of tokens) {
    if (type === "text" || type === "!") continue;
    const refused = REFUSED_TAGS[type];
    if (refused !== undefined) return refused;
    if (!Object.hasOwn(variables, name) && !Object.hasOwn(COMMON_VARIABLES, name))
      return `It has no variable {{ ${name} }}.`;
    const isPrinted = type !== "#" && type !== "^";
    if (isPrinted && typeof variables[name]?.sample === "boolean")
      return `{{ ${name} }} is a condition: write {{#${name}}} before and {{/${name}}} after what depends on it.`;
    const problem = isPrinted ? null : findTagProblem(children ?? [], variables);
    if (problem !== null) return problem;
  }
  return null;
}

/** Returns what is wrong where a token could be read by others than the recipient; null if it could not. */
function findExposedSecret(
  part: keyof MailText,
  text: string,
  tokens: readonly Token[],
  variables: Variables,
): string | null {
  for (const [type, name, start, end, children] of tokens) {
    const problem = findExposedSecret(part, text, type === "#" || type === "^" ? (children ?? []) : [], variables);
    if (problem !== null) return problem;
    if (type === "#" || type === "^" || variables[name]?.secret !== true) continue;
    if (part === "subject") return `{{ ${name} }} opens an account, so it belongs into the text alone.`;
    const isAlone = /^\s?$/.test(text.slice(Math.max(start - 1, 0), start)) && /^\s?$/.test(text.slice(end, end + 1));
    if (!isAlone) return `{{ ${name} }} opens an account, so it needs a space or a line break on both sides.`;
  }
  return null;
}

/** Returns the name of a required variable that a text may leave out; null if there is none. */
function findMissingVariable(text: string, variables: Variables): string | null {
  const printed = listPrinted(parseTokens(text), null);
  const missing = Object.entries(variables).find(
    ([name, { required }]) => required === true && !printed.includes(name),
  );
  return missing?.[0] ?? null;
}

/** Lists the variables that are printed wherever they have a value. `section` is the variable on which these tokens depend. */
function listPrinted(tokens: readonly Token[], section: string | null): string[] {
  return tokens.flatMap(([type, name, , , children]) => {
    if (type === "name" || type === "&") return section === null || section === name ? [name] : [];
    if (type === "#" && (section === null || section === name)) return listPrinted(children ?? [], name);
    return [];
  });
}

/**
 * Returns the subject and text with values in place of the placeholders. The subject is one line. Values are never read as
 * templates, and only texts and conditions are given, so that nothing in a template can run code. Throws when the result is
 * too long, or when the text does not parse.
 */
export function renderTemplate({ subject, text }: MailText, values: TemplateValues): MailText {
  return {
    subject: cutText(toOneLine(render(subject, values)), MAX_RENDERED_SUBJECT_CHARACTERS),
    text: render(text, values).trimEnd(),
  };
}

function render(text: string, values: TemplateValues): string {
  const context = new mustache.Context(values);
  const rendered = writer.renderTokens(parseTokens(text) as never, context, undefined, text, { escape: String });
  if (rendered.length > MAX_RENDERED_CHARACTERS) throw new Error("The text is too long with its values.");
  return rendered;
}

const toOneLine = (text: string): string => text.replaceAll(LINE_BREAKS, " ").trim();

/** Returns the values of the samples of a template. */
export function toSampleValues(
  { variables }: Pick<EditableTemplate, "variables">,
  common: CommonValues,
): TemplateValues {
  const samples = Object.entries(variables).map(([name, { sample }]) => [
    name,
    typeof sample === "string" ? sample.replaceAll("{{ site }}", common.site) : sample,
  ]);
  return { ...Object.fromEntries(samples), ...common };
}
