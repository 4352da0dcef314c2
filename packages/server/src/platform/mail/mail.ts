import type { Database } from "../core/db/connect.ts";
import { type Language, toLanguage } from "../core/languages/languages.ts";
import type { MailTemplate, MailValues, MailVariables } from "./mail-template.ts";
import type { Outbox } from "./outbox.ts";
import type { RenderMail } from "./render-mail.ts";

/** A file that is attached to an e-mail. */
export type Attachment = { filename: string; contentType: string; content: Uint8Array };

/** Draws the document that an attachment names, as one file or more; none when there is no document of that name. */
export type RenderAttachments = (name: string) => Promise<Attachment[]>;

/** A template and the values of its variables. */
export type TemplatedMessage<V extends MailVariables> = {
  template: MailTemplate<V>;
  values: MailValues<NoInfer<V>>;
};

/** The language of a message to somebody who has no account, or whose account has no language; English if it is null. */
export type FallbackLanguage = { readonly language: string | null } | { readonly userId: string };

/** Sends e-mails through the outbox. */
export type Mail = {
  /**
   * Adds a message to the outbox, with the words of the operator if they edited its template. With `trx` it is sent if and
   * only if that transaction commits. `attachment` names a document, which is drawn when the message is sent. The language
   * is that of the account with the address, otherwise `fallback`: a language, or that of another account.
   */
  send<V extends MailVariables>(
    message: TemplatedMessage<V> & { to: string; attachment?: string; fallback?: FallbackLanguage },
    trx?: Database,
  ): Promise<void>;
};

type Deps = { db: Database; outbox: Outbox; render: RenderMail };

/** Creates the mailer. Messages get their words when they are put into the outbox; later changes of a template leave them as they are. */
export function createMail({ db, outbox, render }: Deps): Mail {
  return {
    async send({ template, values, to, attachment, fallback }, trx) {
      const language = await findLanguage({ to, fallback }, trx ?? db);
      const text = await render(template, values, language, trx);
      await outbox.add({ kind: template.kind, to, ...text, ...(attachment !== undefined && { attachment }) }, trx);
    },
  };
}

/** Returns the language of a message to an address. */
async function findLanguage(
  { to, fallback }: { to: string; fallback: FallbackLanguage | undefined },
  db: Database,
): Promise<Language> {
  const accounts = await db
    .selectFrom("users")
    .select("language")
    .where((eb) =>
      eb.or([
        eb("email_lower", "=", to.toLowerCase()),
        ...(fallback !== undefined && "userId" in fallback ? [eb("id", "=", fallback.userId)] : []),
      ]),
    )
    .where("language", "is not", null)
    .orderBy((eb) => eb("email_lower", "=", to.toLowerCase()), "desc")
    .execute();
  const stated = fallback !== undefined && "language" in fallback ? fallback.language : null;
  const language = accounts[0]?.language ?? stated;
  return (language === null ? null : toLanguage(language)) ?? "en";
}
