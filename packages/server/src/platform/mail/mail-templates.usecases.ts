import type { Logger } from "pino";
import type { Audit } from "../core/audit.ts";
import type { SignedInActor } from "../core/auth/actor.ts";
import { bind } from "../core/bind.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import { errors } from "../core/errors/index.ts";
import { type CommonValues, type EditableTemplate, type MailText, SIGNATURE } from "./mail-template.ts";
import type { MailTemplatesRepository, StoredTemplate } from "./mail-templates.repository.ts";
import type { Outbox } from "./outbox.ts";
import { appendSignature } from "./render-mail.ts";
import { findTemplateProblem, normalizeLineBreaks, renderTemplate, toSampleValues } from "./template-syntax.ts";

type Deps = {
  db: Database;
  mailTemplatesRepository: MailTemplatesRepository;
  outbox: Outbox;
  audit: Audit;
  clock: Clock;
  common: CommonValues;
  log: Pick<Logger, "warn">;
  /** All templates, in the order in which they are listed. */
  templates: readonly EditableTemplate[];
};

/** A template, and what is stored of it; `stored` is null if it was never edited. */
export type TemplateState = { readonly template: EditableTemplate; readonly stored: StoredTemplate | null };

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

async function listTemplates({ mailTemplatesRepository, templates }: Deps): Promise<TemplateState[]> {
  const stored = await mailTemplatesRepository.list();
  return templates.map((template) => ({
    template,
    stored: stored.find(({ name }) => name === template.name) ?? null,
  }));
}

/** Throws `mail_templates.not_found` for an unknown name. */
function findTemplate({ templates }: Deps, name: string): EditableTemplate {
  const template = templates.find((one) => one.name === name);
  if (!template) throw errors.mailTemplates.notFound();
  return template;
}

async function getTemplate(deps: Deps, name: string): Promise<TemplateState> {
  const template = findTemplate(deps, name);
  const stored = await deps.mailTemplatesRepository.list();
  return { template, stored: stored.find((one) => one.name === name) ?? null };
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
  name: string,
  { version, ...text }: MailText & { version: number },
): Promise<TemplateState> {
  const { db, mailTemplatesRepository, audit, clock } = deps;
  const template = findTemplate(deps, name);
  const edited = checkText(template, text);
  const defaultThen = { subject: template.subject, text: template.text };
  await db.transaction().execute(async (trx) => {
    const by = { userId: actor.userId, now: clock.now() };
    if (!(await mailTemplatesRepository.save({ name, version, edited, defaultThen }, by, trx)))
      throw errors.mailTemplates.changed();
    await audit.record(
      { actor, action: "mail_templates.update", target: name, details: { subject: edited.subject } },
      trx,
    );
  });
  return getTemplate(deps, name);
}

/**
 * Removes the operator's words, so that the default is sent again. Does nothing if there are none. Throws
 * `mail_templates.changed` if another admin changed it after `version`.
 */
async function resetTemplate(
  deps: Deps,
  actor: SignedInActor,
  name: string,
  version: number | undefined,
): Promise<void> {
  const { db, mailTemplatesRepository, audit, clock } = deps;
  const { stored } = await getTemplate(deps, name);
  if (version !== undefined && version !== (stored?.version ?? 0)) throw errors.mailTemplates.changed();
  if (!stored?.edited) return;
  await db.transaction().execute(async (trx) => {
    const change = { name, version: stored.version, edited: null, defaultThen: null };
    if (!(await mailTemplatesRepository.save(change, { userId: actor.userId, now: clock.now() }, trx)))
      throw errors.mailTemplates.changed();
    await audit.record({ actor, action: "mail_templates.reset", target: name }, trx);
  });
}

/** Returns a message with the sample values, and the text below all mails. Throws `mail_templates.not_valid` if the words do not fit the template. */
async function previewTemplate(deps: Deps, name: string, text: MailText): Promise<MailText> {
  const template = findTemplate(deps, name);
  const message = renderTemplate(checkText(template, text), toSampleValues(template, deps.common));
  if (!template.hasSubject) return message;
  return appendSignature(message, await deps.mailTemplatesRepository.listEdited([SIGNATURE.name]), deps);
}

/** Sends a message with the sample values to the admin's own address, and returns that address. */
async function sendTestMail(deps: Deps, actor: SignedInActor, name: string, text: MailText): Promise<string> {
  const { db, outbox, audit } = deps;
  const message = await previewTemplate(deps, name, text);
  const { email } = await db
    .selectFrom("users")
    .select("email")
    .where("id", "=", actor.userId)
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async (trx) => {
    await outbox.add({ kind: "template_test", to: email, ...message, subject: `Test: ${message.subject}` }, trx);
    await audit.record({ actor, action: "mail_templates.send_test", target: name }, trx);
  });
  return email;
}
