import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { refuseLimitedKey } from "../../platform/core/auth/refuse-limited-key.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { isUniqueViolation } from "../../platform/core/db/errors.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import type { PromptDetails, PromptOwner, PromptRow, PromptsRepository } from "./prompts.repository.ts";

/** A prompt or persona, as callers get it. */
export type Prompt = components["schemas"]["Prompt"];
type PromptWrite = components["schemas"]["PromptWrite"];
/** The part of a prompt that is encrypted. */
type SealedFields = Pick<Prompt, "text" | "model" | "settings">;
type OrganizationKey = { sealer: Sealer };

type Deps = {
  db: Database;
  promptsRepository: PromptsRepository;
  /** The keys with which organizations' chats are encrypted. */
  organizationKeys: {
    find(organizationId: string): Promise<OrganizationKey | null>;
    ensure(organizationId: string, trx: Database): Promise<OrganizationKey>;
  };
  audit: Audit;
  clock: Clock;
};

/** The most prompts of a person in an organization, and of an organization, and the bytes that they may take. */
const MAX_PROMPTS = 500;
const MAX_BYTES = 1024 * 1024;
const MAX_SETTINGS_BYTES = 32 * 1024;
const NAME_KEY = "prompts_organization_id_user_id_kind_name_key";

/** Creates the use cases of prompts and personas. */
export function createPrompts(deps: Deps) {
  return bind(deps, { list: listPrompts, listOwn, put: putPrompt, delete: deletePrompt });
}

export type PromptUseCases = ReturnType<typeof createPrompts>;

/** Lists those that a person can use in an organization: their own, and those of the organization. */
async function listPrompts(deps: Deps, { organizationId, userId }: SignedInActor): Promise<Prompt[]> {
  return decrypt(deps, organizationId, await deps.promptsRepository.list(organizationId, [userId, null]));
}

/** Lists a person's own in all organizations, with the organization of each. */
async function listOwn(deps: Deps, userId: string): Promise<(Prompt & { organization_id: string })[]> {
  const rows = await deps.db
    .selectFrom("prompts")
    .select("organization_id")
    .distinct()
    .where("user_id", "=", userId)
    .orderBy("organization_id")
    .execute();
  const own: (Prompt & { organization_id: string })[] = [];
  for (const { organization_id } of rows) {
    const stored = await deps.promptsRepository.list(organization_id, [userId]);
    own.push(...(await decrypt(deps, organization_id, stored)).map((one) => ({ organization_id, ...one })));
  }
  return own;
}

/** Decrypts prompts of an organization. Its key is there if it has prompts. */
async function decrypt({ organizationKeys }: Deps, organizationId: string, rows: readonly PromptDetails[]) {
  const key = rows.length > 0 ? await organizationKeys.find(organizationId) : null;
  return key === null ? [] : rows.map((row) => toPrompt(row, key));
}

/** Creates a prompt with version 0, or replaces the fields of that version. */
async function putPrompt(
  deps: Deps,
  { actor, owner, id }: { actor: SignedInActor; owner: PromptOwner; id: string },
  { version, kind, name, text, model = null, settings = {} }: PromptWrite,
): Promise<Prompt> {
  const { db, promptsRepository, organizationKeys, audit, clock } = deps;
  if (owner.userId === null) refuseLimitedKey(actor);
  checkFields({ kind, model, settings });
  return db.transaction().execute(async (trx) => {
    await promptsRepository.lock(owner.organizationId, trx);
    const stored = await promptsRepository.find(owner, id, trx);
    if (stored ? stored.user_id !== owner.userId : version !== 0) throw errors.prompts.notFound();
    if (stored && stored.version !== version) throw errors.prompts.changed();
    const key = await organizationKeys.ensure(owner.organizationId, trx);
    const fields: SealedFields = { text, model, settings };
    const row: PromptRow = {
      organization_id: owner.organizationId,
      id,
      user_id: owner.userId,
      kind,
      name,
      sealed_fields: key.sealer.seal(JSON.stringify(fields)),
      version: version + 1,
      updated_by: actor.userId,
      updated_at: clock.now(),
    };
    await checkRoom(deps, owner, row, trx);
    await promptsRepository.put(row, trx).catch((error: unknown) => {
      throw isUniqueViolation(error, NAME_KEY) ? errors.prompts.nameTaken({ name }) : error;
    });
    if (owner.userId === null)
      await audit.record({ actor, action: "prompts.put", target: id, details: { kind, name } }, trx);
    return toPrompt({ ...row, updated_by_name: await nameOf(actor.userId, trx) }, key);
  });
}

async function nameOf(userId: string, trx: Database): Promise<string | null> {
  const row = await trx.selectFrom("users").select("name").where("id", "=", userId).executeTakeFirst();
  return row?.name ?? null;
}

function checkFields({ kind, model, settings }: Pick<Prompt, "kind" | "model" | "settings">): void {
  if (kind === "message" && model !== null)
    throw errors.invalidRequest("model is not valid: only a persona has one.", { param: "model" });
  if (kind === "message" && Object.keys(settings).length > 0)
    throw errors.invalidRequest("settings is not valid: only a persona has some.", { param: "settings" });
  if (Buffer.byteLength(JSON.stringify(settings)) > MAX_SETTINGS_BYTES)
    throw errors.invalidRequest("settings is not valid: it may take at most 32 kB as JSON.", { param: "settings" });
}

/** Refuses what would be more than an owner may have. Throws `prompts.full`. */
async function checkRoom({ promptsRepository }: Deps, owner: PromptOwner, row: PromptRow, trx: Database) {
  const { count, bytes } = await promptsRepository.measureOthers(owner, row.id, trx);
  if (count >= MAX_PROMPTS) throw errors.prompts.full(`There can be ${MAX_PROMPTS} prompts and personas.`);
  if (bytes + row.sealed_fields.length > MAX_BYTES)
    throw errors.prompts.full("Prompts and personas can take 1 MB together.");
}

async function deletePrompt(
  { db, promptsRepository, audit }: Deps,
  { actor, owner, id }: { actor: SignedInActor; owner: PromptOwner; id: string },
): Promise<void> {
  if (owner.userId === null) refuseLimitedKey(actor);
  await db.transaction().execute(async (trx) => {
    const name = await promptsRepository.remove(owner, id, trx);
    if (name === null) throw errors.prompts.notFound();
    if (owner.userId === null)
      await audit.record({ actor, action: "prompts.delete", target: id, details: { name } }, trx);
  });
}

/** Decrypts a prompt. Throws if it was encrypted with another key. */
const toPrompt = (row: PromptDetails, { sealer }: OrganizationKey): Prompt => ({
  id: row.id,
  kind: row.kind as Prompt["kind"], // the table checks it
  name: row.name,
  ...(JSON.parse(sealer.open(row.sealed_fields)) as SealedFields),
  owner: row.user_id === null ? "organization" : "person",
  version: row.version,
  updated_by_name: row.updated_by_name,
  updated_at: row.updated_at.toISOString(),
});
