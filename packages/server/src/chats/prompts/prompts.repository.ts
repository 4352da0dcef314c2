import type { Insertable, Selectable } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Prompts } from "../../platform/core/db/schema.generated.ts";

/** A prompt or persona. Its text and settings are encrypted. */
export type PromptRow = Selectable<Prompts>;
/** A prompt or persona with the name of the user who last changed it. */
export type PromptDetails = PromptRow & { updated_by_name: string | null };
/** Whose prompts: a person's in an organization, or with null as the user those of the organization. */
export type PromptOwner = { organizationId: string; userId: string | null };

/** Stores prompts and personas, whose names are unique among those of their owner and kind. */
export function createPromptsRepository(db: Database) {
  return { ...bind(db, { list: listPrompts }), lock, find: findPrompt, measureOthers, put: putPrompt, remove };
}

export type PromptsRepository = ReturnType<typeof createPromptsRepository>;

/** Lists the prompts of some owners in an organization, by name. */
function listPrompts(
  db: Database,
  organizationId: string,
  userIds: readonly (string | null)[],
): Promise<PromptDetails[]> {
  return db
    .selectFrom("prompts")
    .leftJoin("users", "users.id", "prompts.updated_by")
    .selectAll("prompts")
    .select("users.name as updated_by_name")
    .where("prompts.organization_id", "=", organizationId)
    .where((eb) => eb.or(userIds.map((id) => eb("prompts.user_id", "is not distinct from", id))))
    .orderBy("prompts.name")
    .orderBy("prompts.id")
    .execute();
}

/** Lets one change after the other see the prompts of an organization. */
async function lock(organizationId: string, trx: Database): Promise<void> {
  await trx.selectFrom("organizations").select("id").where("id", "=", organizationId).forNoKeyUpdate().execute();
}

const owned = ({ organizationId, userId }: PromptOwner, trx: Database) =>
  trx
    .selectFrom("prompts")
    .where("organization_id", "=", organizationId)
    .where("user_id", "is not distinct from", userId);

/** Finds a prompt by its id, whoever in the organization owns it. */
function findPrompt({ organizationId }: PromptOwner, id: string, trx: Database): Promise<PromptRow | undefined> {
  return trx
    .selectFrom("prompts")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Counts an owner's prompts without the one of the id, and the bytes that they take. */
async function measureOthers(owner: PromptOwner, id: string, trx: Database): Promise<{ count: number; bytes: number }> {
  const row = await owned(owner, trx)
    .select((eb) => [
      eb.fn.countAll<string>().as("count"),
      eb.fn.sum<string | null>(eb.fn("octet_length", ["sealed_fields"])).as("bytes"),
    ])
    .where("id", "<>", id)
    .executeTakeFirstOrThrow();
  return { count: Number(row.count), bytes: Number(row.bytes ?? 0) };
}

/** Stores a prompt in place of the one of its id. */
async function putPrompt(row: Insertable<Prompts>, trx: Database): Promise<void> {
  await trx
    .insertInto("prompts")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "id"]).doUpdateSet((eb) => ({
        kind: eb.ref("excluded.kind"),
        name: eb.ref("excluded.name"),
        sealed_fields: eb.ref("excluded.sealed_fields"),
        version: eb.ref("excluded.version"),
        updated_by: eb.ref("excluded.updated_by"),
        updated_at: eb.ref("excluded.updated_at"),
      })),
    )
    .execute();
}

/** Deletes a prompt. Returns its name; null if the owner has none with this id. */
async function remove({ organizationId, userId }: PromptOwner, id: string, trx: Database): Promise<string | null> {
  const row = await trx
    .deleteFrom("prompts")
    .where("organization_id", "=", organizationId)
    .where("user_id", "is not distinct from", userId)
    .where("id", "=", id)
    .returning("name")
    .executeTakeFirst();
  return row?.name ?? null;
}
