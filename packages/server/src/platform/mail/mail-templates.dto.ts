import type { components } from "@feather/openapi/schema";
import { COMMON_VARIABLES, type EditableTemplate } from "./mail-template.ts";
import type { TemplateState } from "./mail-templates.usecases.ts";
import { findTemplateProblem } from "./template-syntax.ts";

type MailTemplateDto = components["schemas"]["MailTemplate"];
type MailTemplateSummary = components["schemas"]["MailTemplateSummary"];

/** Returns a description in the language of who reads it. */
export type Describe = (text: string) => string;

/** Describes a template for a list. */
export function toMailTemplateSummaryDto(
  { template, stored, editedLanguages }: TemplateState,
  describe: Describe,
): MailTemplateSummary {
  const { name, group, title, description, subject, text } = template;
  const edited = stored?.edited ?? null;
  const found = edited === null ? null : findTemplateProblem(template, edited);
  const then = stored?.defaultThen ?? null;
  return {
    name,
    group,
    title: describe(title),
    description: describe(description),
    is_edited: edited !== null,
    edited_languages: [...editedLanguages],
    edited_by: stored?.editor ?? null,
    edited_at: stored?.editedAt.toISOString() ?? null,
    has_new_default: then !== null && (then.subject !== subject || then.text !== text),
    problem: found === null ? null : `${found.param === "subject" ? "Subject" : "Text"}: ${found.problem}`,
  };
}

/** Describes a template with its words and variables. */
export function toMailTemplateDto(state: TemplateState, describe: Describe): MailTemplateDto {
  const { template, language, stored } = state;
  const { subject, text, hasSubject } = template;
  const summary = toMailTemplateSummaryDto(state, describe);
  return {
    ...summary,
    language,
    has_subject: hasSubject,
    version: stored?.version ?? 0,
    subject: stored?.edited?.subject ?? subject,
    text: stored?.edited?.text ?? text,
    default: { subject, text },
    earlier_default: summary.has_new_default ? (stored?.defaultThen ?? null) : null,
    variables: toVariableDtos(template, describe),
  };
}

function toVariableDtos({ variables }: EditableTemplate, describe: Describe): MailTemplateDto["variables"] {
  const own = Object.entries(variables).map(([name, { description, sample, optional, required }]) => ({
    name,
    description: describe(description),
    is_condition: typeof sample === "boolean",
    is_optional: optional === true,
    is_required: required === true,
  }));
  const common = Object.entries(COMMON_VARIABLES).map(([name, { description }]) => ({
    name,
    description: describe(description),
    is_condition: false,
    is_optional: false,
    is_required: false,
  }));
  return [...own, ...common];
}
