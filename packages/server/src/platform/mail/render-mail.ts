import type { Logger } from "pino";
import type { Database } from "../core/db/connect.ts";
import type { Language } from "../core/languages/languages.ts";
import {
  type CommonValues,
  type EditableTemplate,
  type MailTemplate,
  type MailText,
  type MailTranslations,
  type MailValues,
  type MailVariables,
  SIGNATURE,
  translateTemplate,
} from "./mail-template.ts";
import type { EditedText, MailTemplatesRepository } from "./mail-templates.repository.ts";
import { findTemplateProblem, renderTemplate, type TemplateValues } from "./template-syntax.ts";

type Deps = {
  mailTemplatesRepository: MailTemplatesRepository;
  translations: MailTranslations;
  common: CommonValues;
  log: Pick<Logger, "warn">;
};

/** Returns the subject and text of a message, in the words of the operator if they edited its template. */
export type RenderMail = <V extends MailVariables>(
  template: MailTemplate<V>,
  values: MailValues<V>,
  language: Language,
  trx?: Database,
) => Promise<MailText>;

/** Returns a template as what can be edited of it. */
export const toEditable = (template: MailTemplate): EditableTemplate => ({ ...template, hasSubject: true });

/** The languages whose edited words may stand in a message, the first that has some. English is what operators edit first. */
const languagesFor = (language: Language): readonly Language[] => (language === "en" ? ["en"] : [language, "en"]);

/** Returns the operator's words for messages in a language. */
export const listEditedFor = (
  repository: Pick<MailTemplatesRepository, "listEdited">,
  names: readonly string[],
  language: Language,
  trx?: Database,
): Promise<EditedText[]> => repository.listEdited(names, languagesFor(language), trx);

/**
 * Creates what renders messages. Words of the operator in English also stand in for another language in which they have
 * none, since the default there may lack what the operator added. An edited text that no longer fits its template, such as after an upgrade, is passed over
 * with a warning: a message in the default words is better than none.
 */
export function createRenderMail({ mailTemplatesRepository, translations, common, log }: Deps): RenderMail {
  return async (template, values, language, trx) => {
    const editable = translateTemplate(toEditable(template), language, translations);
    const edited = await listEditedFor(mailTemplatesRepository, [template.name, SIGNATURE.name], language, trx);
    const all = { ...values, ...common } as TemplateValues;
    const message = renderEdited(editable, edited, language, all, log) ?? renderTemplate(editable, all);
    return appendSignature(message, edited, language, { common, log });
  };
}

/** Returns a message with the text that stands below all mails, if `edited` has one that can be used. */
export function appendSignature(
  message: MailText,
  edited: readonly EditedText[],
  language: Language,
  { common, log }: Pick<Deps, "common" | "log">,
): MailText {
  const signature = renderEdited(SIGNATURE, edited, language, common, log);
  return signature === null ? message : { ...message, text: `${message.text}\n\n${signature.text}` };
}

/**
 * Returns the operator's words of a template with values, those in the language before those in English; null if there are
 * none that can be used.
 */
function renderEdited(
  template: EditableTemplate,
  edited: readonly EditedText[],
  language: Language,
  values: TemplateValues,
  log: Deps["log"],
): MailText | null {
  const texts = edited.filter(({ name }) => name === template.name);
  for (const text of texts.toSorted((a, b) => Number(b.language === language) - Number(a.language === language))) {
    const rendered = renderOne(template, text, values, log);
    if (rendered !== null) return rendered;
  }
  return null;
}

function renderOne(
  template: EditableTemplate,
  text: EditedText,
  values: TemplateValues,
  log: Deps["log"],
): MailText | null {
  const warn = (problem: string) =>
    log.warn(
      { template: template.name, language: text.language, problem },
      "the edited text of a mail cannot be used: other words are sent",
    );
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
