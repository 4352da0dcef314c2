import type { Insertable, Selectable } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ContentItems } from "../../platform/core/db/schema.generated.ts";
import type { ContentKind, ContentMeta } from "./content-entry.ts";

/** A post or page that an admin wrote, without its text. */
export type StoredContent = ContentMeta & {
  readonly version: number;
  /** Name of the admin who saved it last; null when that account was deleted. */
  readonly editor: string | null;
  readonly editedAt: Date;
};
/** The key of a post or page. */
export type ContentKey = { readonly kind: ContentKind; readonly slug: string };
/** All columns of a post or page except the version. */
export type ContentValues = Omit<Insertable<ContentItems>, "version">;

const META = [
  "kind",
  "slug",
  "title",
  "description",
  "author",
  "tags",
  "is_draft",
  "published_at",
  "version",
  "edited_at",
] as const;

/** Creates the repository of posts and pages that admins wrote. */
export function createContentRepository(db: Database) {
  return {
    /** Returns all of them without their texts. */
    async list(trx: Database = db): Promise<StoredContent[]> {
      const rows = await trx
        .selectFrom("content_items")
        .leftJoin("users", "users.id", "content_items.edited_by")
        .select(META.map((column) => `content_items.${column}` as const))
        .select("users.name as editor")
        .execute();
      return rows.map(toStoredContent);
    },

    /** Returns a text; null if there is no such post or page. */
    async readText({ kind, slug }: ContentKey): Promise<string | null> {
      const row = await db
        .selectFrom("content_items")
        .select("body")
        .where("kind", "=", kind)
        .where("slug", "=", slug)
        .executeTakeFirst();
      return row?.body ?? null;
    },

    /** Saves a post or page if the stored version is still `version` (0: none). Returns whether it was. */
    async save(values: ContentValues, version: number, trx: Database): Promise<boolean> {
      const row = { ...values, version: version + 1 };
      if (version === 0) {
        const inserted = await trx
          .insertInto("content_items")
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        return inserted.numInsertedOrUpdatedRows === 1n;
      }
      const updated = await trx
        .updateTable("content_items")
        .set(row)
        .where("kind", "=", values.kind)
        .where("slug", "=", values.slug)
        .where("version", "=", version)
        .executeTakeFirst();
      return updated.numUpdatedRows === 1n;
    },

    /** Deletes a post or page, if it has the version where one is given. Returns whether it did. */
    async delete({ kind, slug }: ContentKey, version: number | undefined, trx: Database): Promise<boolean> {
      let query = trx.deleteFrom("content_items").where("kind", "=", kind).where("slug", "=", slug);
      if (version !== undefined) query = query.where("version", "=", version);
      return (await query.executeTakeFirst()).numDeletedRows === 1n;
    },
  };
}

/** Stores the posts and pages that admins wrote. */
export type ContentRepository = ReturnType<typeof createContentRepository>;

type MetaRow = Pick<Selectable<ContentItems>, (typeof META)[number]> & { editor: string | null };

const toStoredContent = (row: MetaRow): StoredContent => ({
  kind: row.kind === "page" ? "page" : "post",
  slug: row.slug,
  title: row.title,
  description: row.description,
  author: row.author,
  tags: row.tags,
  isDraft: row.is_draft,
  publishedAt: row.published_at,
  version: row.version,
  editor: row.editor,
  editedAt: row.edited_at,
});
