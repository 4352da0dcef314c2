import type { Database } from "../core/db/connect.ts";
import type { Language } from "../core/languages/languages.ts";
import type { MailText } from "./mail-template.ts";

/** The words of the operator for a template, in one language. */
export type EditedText = MailText & { readonly name: string; readonly language: Language };
/** What is stored of a template that was edited, or edited and reset, in one language: `edited` is null after a reset. */
export type StoredTemplate = {
  readonly name: string;
  readonly language: Language;
  readonly version: number;
  readonly edited: MailText | null;
  /** The default when it was edited; null after a reset. */
  readonly defaultThen: MailText | null;
  /** Name of the admin who changed it last; null when that account was deleted. */
  readonly editor: string | null;
  readonly editedAt: Date;
};
type Change = {
  name: string;
  language: Language;
  version: number;
  edited: MailText | null;
  defaultThen: MailText | null;
};

/** Creates the repository of edited templates. */
export function createMailTemplatesRepository(db: Database) {
  return {
    /** Returns the operator's words for those of the templates that are edited, in those of the languages. */
    async listEdited(
      names: readonly string[],
      languages: readonly Language[],
      trx: Database = db,
    ): Promise<EditedText[]> {
      const rows = await trx
        .selectFrom("mail_templates")
        .select(["name", "language", "subject", "body"])
        .where("language", "in", languages)
        .where("name", "in", names)
        .execute();
      return rows.flatMap(({ name, language, subject, body }) =>
        subject === null || body === null ? [] : [{ name, language: language as Language, subject, text: body }],
      );
    },

    /** Returns what is stored of all templates in all languages. */
    async list(trx: Database = db): Promise<StoredTemplate[]> {
      const rows = await trx
        .selectFrom("mail_templates")
        .leftJoin("users", "users.id", "mail_templates.edited_by")
        .selectAll("mail_templates")
        .select("users.name as editor")
        .execute();
      return rows.map(
        ({ name, language, version, subject, body, default_subject, default_body, editor, edited_at }) => ({
          name,
          language: language as Language,
          version,
          edited: toText(subject, body),
          defaultThen: toText(default_subject, default_body),
          editor,
          editedAt: edited_at,
        }),
      );
    },

    /** Stores words, or null for the default, if the stored version is still `version` (0: none). Returns whether it was. */
    async save(
      { name, language, version, edited, defaultThen }: Change,
      by: { userId: string; now: Date },
      trx: Database,
    ): Promise<boolean> {
      const values = {
        version: version + 1,
        subject: edited?.subject ?? null,
        body: edited?.text ?? null,
        default_subject: defaultThen?.subject ?? null,
        default_body: defaultThen?.text ?? null,
        edited_by: by.userId,
        edited_at: by.now,
      };
      if (version === 0) {
        const inserted = await trx
          .insertInto("mail_templates")
          .values({ ...values, name, language })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        return inserted.numInsertedOrUpdatedRows === 1n;
      }
      const updated = await trx
        .updateTable("mail_templates")
        .set(values)
        .where("name", "=", name)
        .where("language", "=", language)
        .where("version", "=", version)
        .executeTakeFirst();
      return updated.numUpdatedRows === 1n;
    },
  };
}

/** Stores the words of the operator. */
export type MailTemplatesRepository = ReturnType<typeof createMailTemplatesRepository>;

const toText = (subject: string | null, text: string | null): MailText | null =>
  subject === null || text === null ? null : { subject, text };
