import type { Logger } from "pino";
import type { Database } from "../core/db/connect.ts";
import {
  type CommonValues,
  type EditableTemplate,
  type MailTemplate,
  type MailText,
  type MailValues,
  type MailVariables,
  SIGNATURE,
} from "./mail-template.ts";
import type { EditedText, MailTemplatesRepository } from "./mail-templates.repository.ts";
import { findTemplateProblem, renderTemplate, type TemplateValues } from "./template-syntax.ts";

type Deps = {
  mailTemplatesRepository: MailTemplatesRepository;
  common: CommonValues;
  log: Pick<Logger, "warn">;
};

/** Returns the subject and text of a message, in the words of the operator if they edited its template. */
export type RenderMail = <V extends MailVariables>(
  template: MailTemplate<V>,
  values: MailValues<V>,
  trx?: Database,
) => Promise<MailText>;

/** Returns a template as what can be edited of it. */
export const toEditable = (template: MailTemplate): EditableTemplate => ({ ...template, hasSubject: true });

/**
 * Creates what renders messages. An edited text that no longer fits its template, such as after an upgrade, is passed over
 * with a warning: a message in the default words is better than none.
 */
export function createRenderMail({ mailTemplatesRepository, common, log }: Deps): RenderMail {
  return async (template, values, trx) => {
    const editable = toEditable(template);
    const edited = await mailTemplatesRepository.listEdited([template.name, SIGNATURE.name], trx);
    const all = { ...values, ...common } as TemplateValues;
    const message = renderEdited(editable, edited, all, log) ?? renderTemplate(template, all);
    return appendSignature(message, edited, { common, log });
  };
}

/** Returns a message with the text that stands below all mails, if `edited` has one that can be used. */
export function appendSignature(
  message: MailText,
  edited: readonly EditedText[],
  { common, log }: Pick<Deps, "common" | "log">,
): MailText {
  const signature = renderEdited(SIGNATURE, edited, common, log);
  return signature === null ? message : { ...message, text: `${message.text}\n\n${signature.text}` };
}

/** Returns the operator's words of a template with values; null if there are none that can be used. */
function renderEdited(
  template: EditableTemplate,
  edited: readonly EditedText[],
  values: TemplateValues,
  log: Deps["log"],
): MailText | null {
  const text = edited.find(({ name }) => name === template.name);
  if (!text) return null;
  const warn = (problem: string) =>
    log.warn({ template: template.name, problem }, "the edited text of a mail cannot be used: the default is sent");
  const found = findTemplateProblem(template, text);
  if (found) {
    warn(`${found.param}: ${found.problem}`);
    return null;
  }
  try {
    const rendered = renderTemplate(text, values);
    const isEmpty = rendered.text === "" || (template.hasSubject && rendered.subject === "");
    if (isEmpty) warn("Nothing is left of it with these values.");
    return isEmpty ? null : rendered;
  } catch (error) {
    warn(error instanceof Error ? error.message : String(error));
    return null;
  }
}
