import { isNestedTooDeep, NESTED_TOO_DEEP } from "@feather/markdown/nesting";
import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { ContentKey, ContentRepository } from "./content.repository.ts";
import type { ContentCatalogue, ListedContent } from "./content-catalogue.ts";
import { stateOf } from "./content-entry.ts";

type ContentWrite = components["schemas"]["ContentWrite"];
type Deps = {
  db: Database;
  clock: Clock;
  audit: Audit;
  catalogue: ContentCatalogue;
  contentRepository: ContentRepository;
};

/** A post or page with its text. */
export type ContentWithText = { readonly entry: ListedContent; readonly text: string };

/** Creates the use cases of posts and pages. */
export function createContentUseCases(deps: Deps) {
  return bind(deps, { get: getContent, getPublished, put: putContent, delete: deleteContent });
}

/** Reads, saves and deletes posts and pages. */
export type ContentUseCases = ReturnType<typeof createContentUseCases>;

/** Returns a post or page in whatever state. Throws `content.not_found`. */
async function getContent({ catalogue }: Deps, key: ContentKey): Promise<ContentWithText> {
  const entry = await catalogue.find(key);
  const text = (await entry?.readText()) ?? null;
  if (!entry || text === null) throw errors.content.notFound();
  return { entry, text };
}

/** Returns a published post or page. Throws `content.not_found` for drafts and what is scheduled too. */
async function getPublished(deps: Deps, key: ContentKey): Promise<ContentWithText> {
  const found = await getContent(deps, key);
  const isPublished = stateOf(found.entry, deps.clock.now()) === "published";
  if (!isPublished || deps.catalogue.isTaken(key)) throw errors.content.notFound();
  return found;
}

/**
 * Saves a post or page. Throws `content.address_taken` for a page at an address of the site, and `content.changed` if another
 * admin changed it after `version`.
 */
async function putContent(
  deps: Deps,
  actor: SignedInActor,
  key: ContentKey,
  { version, title, description, author, tags, state, published_at, text }: ContentWrite,
): Promise<ContentWithText> {
  const { db, clock, audit, catalogue, contentRepository } = deps;
  if (catalogue.isTaken(key)) throw errors.content.addressTaken();
  if (isNestedTooDeep(text)) throw errors.invalidRequest(`text is not valid. ${NESTED_TOO_DEEP}`, { param: "text" });
  const now = clock.now();
  const isDraft = state === "draft";
  const publishedAt = published_at === null ? (isDraft ? null : now) : new Date(published_at);
  const values = {
    ...key,
    ...{ title, description, author, tags, body: text },
    ...{ is_draft: isDraft, published_at: publishedAt, edited_by: actor.userId, edited_at: now },
  };
  await db.transaction().execute(async (trx) => {
    if (!(await contentRepository.save(values, version, trx))) throw errors.content.changed();
    const details = { title, state, published_at: publishedAt?.toISOString() ?? null };
    await audit.record({ actor, action: "content.update", target: toTarget(key), details }, trx);
  });
  catalogue.invalidate();
  return getContent(deps, key);
}

/**
 * Deletes a post or page that an admin wrote. Throws `content.not_stored` for others, and `content.changed` if it was changed
 * after `version`.
 */
async function deleteContent(
  deps: Deps,
  actor: SignedInActor,
  key: ContentKey,
  version: number | undefined,
): Promise<void> {
  const { db, audit, catalogue, contentRepository } = deps;
  const entry = await catalogue.find(key);
  if (!entry) throw errors.content.notFound();
  if (!entry.stored) throw errors.content.notStored();
  await db.transaction().execute(async (trx) => {
    if (!(await contentRepository.delete(key, version, trx))) throw errors.content.changed();
    await audit.record({ actor, action: "content.delete", target: toTarget(key) }, trx);
  });
  catalogue.invalidate();
}

const toTarget = ({ kind, slug }: ContentKey) => `${kind}/${slug}`;
