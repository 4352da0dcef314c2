import type { Logger } from "pino";
import type { Audit } from "../core/audit.ts";
import type { SignedInActor } from "../core/auth/actor.ts";
import { bind } from "../core/bind.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import { errors } from "../core/errors/index.ts";
import type { Language } from "../core/languages/languages.ts";
import {
  type CommonValues,
  type EditableTemplate,
  type MailText,
  type MailTranslations,
  SIGNATURE,
  translateTemplate,
} from "./mail-template.ts";
import type { MailTemplatesRepository, StoredTemplate } from "./mail-templates.repository.ts";
import type { Outbox } from "./outbox.ts";
import { appendSignature, listEditedFor } from "./render-mail.ts";
import { findTemplateProblem, normalizeLineBreaks, renderTemplate, toSampleValues } from "./template-syntax.ts";

type Deps = {
  db: Database;
  mailTemplatesRepository: MailTemplatesRepository;
  outbox: Outbox;
  audit: Audit;
  clock: Clock;
  translations: MailTranslations;
  common: CommonValues;
  log: Pick<Logger, "warn">;
  /** All templates, in the order in which they are listed. */
  templates: readonly EditableTemplate[];
};

/** A template, by its name, in one language. */
export type TemplateKey = { readonly name: string; readonly language: Language };
/** A template in one language, and what is stored of it; `stored` is null if it was never edited in that language. */
export type TemplateState = {
  readonly template: EditableTemplate;
  readonly language: Language;
  readonly stored: StoredTemplate | null;
  /** The languages in which it has words of the operator. */
  readonly editedLanguages: readonly Language[];
};

/** Creates the use cases by which admins edit the words of mails. */
export function createMailTemplateUseCases(deps: Deps) {
  return bind(deps, {
    list: listTemplates,
    get: getTemplate,
    set: setTemplate,
    reset: resetTemplate,
    preview: previewTemplate,
    sendTest: sendTestMail,
  });
}

/** Lists, edits and previews templates. */
export type MailTemplateUseCases = ReturnType<typeof createMailTemplateUseCases>;

async function listTemplates(deps: Deps, language: Language): Promise<TemplateState[]> {
  const stored = await deps.mailTemplatesRepository.list();
  return deps.templates.map(({ name }) => toState(findTemplate(deps, { name, language }), language, stored));
}

/** Returns a template with its default in a language. Throws `mail_templates.not_found` for an unknown name. */
function findTemplate({ templates, translations }: Deps, { name, language }: TemplateKey): EditableTemplate {
  const template = templates.find((one) => one.name === name);
  if (!template) throw errors.mailTemplates.notFound();
  return translateTemplate(template, language, translations);
}

async function getTemplate(deps: Deps, key: TemplateKey): Promise<TemplateState> {
  const template = findTemplate(deps, key);
  return toState(template, key.language, await deps.mailTemplatesRepository.list());
}

function toState(template: EditableTemplate, language: Language, allStored: readonly StoredTemplate[]): TemplateState {
  const stored = allStored.filter(({ name }) => name === template.name);
  return {
    template,
    language,
    stored: stored.find((one) => one.language === language) ?? null,
    editedLanguages: stored.filter(({ edited }) => edited !== null).map((one) => one.language),
  };
}

/** Returns the words with one kind of line breaks. Throws `mail_templates.not_valid` if they do not fit the template. */
function checkText(template: EditableTemplate, { subject, text }: MailText): MailText {
  const checked = { subject: normalizeLineBreaks(subject), text: normalizeLineBreaks(text) };
  const found = findTemplateProblem(template, checked);
  if (found) throw errors.mailTemplates.notValid(found.problem, { param: found.param });
  return checked;
}

/**
 * Stores the words of a template. Throws `mail_templates.not_valid` if they do not fit it, and `mail_templates.changed` if
 * another admin changed it after `version`.
 */
async function setTemplate(
  deps: Deps,
  actor: SignedInActor,
  key: TemplateKey,
  { version, subject, text }: MailText & { version: number },
): Promise<TemplateState> {
  const { db, mailTemplatesRepository, audit, clock } = deps;
  const template = findTemplate(deps, key);
  const edited = checkText(template, { subject, text });
  const defaultThen = { subject: template.subject, text: template.text };
  await db.transaction().execute(async (trx) => {
    const by = { userId: actor.userId, now: clock.now() };
    if (!(await mailTemplatesRepository.save({ ...key, version, edited, defaultThen }, by, trx)))
      throw errors.mailTemplates.changed();
    await audit.record(
      {
        actor,
        action: "mail_templates.update",
        target: key.name,
        details: { language: key.language, subject: edited.subject },
      },
      trx,
    );
  });
  return getTemplate(deps, key);
}

/**
 * Removes the operator's words, so that the default is sent again. Does nothing if there are none. Throws
 * `mail_templates.changed` if another admin changed it after `version`.
 */
async function resetTemplate(
  deps: Deps,
  actor: SignedInActor,
  key: TemplateKey,
  version: number | undefined,
): Promise<void> {
  const { db, mailTemplatesRepository, audit, clock } = deps;
  const { stored } = await getTemplate(deps, key);
  if (version !== undefined && version !== (stored?.version ?? 0)) throw errors.mailTemplates.changed();
  if (!stored?.edited) return;
  await db.transaction().execute(async (trx) => {
    const change = { ...key, version: stored.version, edited: null, defaultThen: null };
    if (!(await mailTemplatesRepository.save(change, { userId: actor.userId, now: clock.now() }, trx)))
      throw errors.mailTemplates.changed();
    const { name: target, language } = key;
    await audit.record({ actor, action: "mail_templates.reset", target, details: { language } }, trx);
  });
}

/** Returns a message with the sample values, and the text below all mails. Throws `mail_templates.not_valid` if the words do not fit the template. */
async function previewTemplate(deps: Deps, key: TemplateKey, text: MailText): Promise<MailText> {
  const template = findTemplate(deps, key);
  const message = renderTemplate(checkText(template, text), toSampleValues(template, deps.common));
  if (!template.hasSubject) return message;
  const edited = await listEditedFor(deps.mailTemplatesRepository, [SIGNATURE.name], key.language);
  return appendSignature(message, edited, key.language, deps);
}

/** Sends a message with the sample values to the admin's own address, and returns that address. */
async function sendTestMail(deps: Deps, actor: SignedInActor, key: TemplateKey, text: MailText): Promise<string> {
  const { db, outbox, audit } = deps;
  const message = await previewTemplate(deps, key, text);
  const { email } = await db
    .selectFrom("users")
    .select("email")
    .where("id", "=", actor.userId)
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async (trx) => {
    await outbox.add({ kind: "template_test", to: email, ...message, subject: `Test: ${message.subject}` }, trx);
    const { name: target, language } = key;
    await audit.record({ actor, action: "mail_templates.send_test", target, details: { language } }, trx);
  });
  return email;
}
