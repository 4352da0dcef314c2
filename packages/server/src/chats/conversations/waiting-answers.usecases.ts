import { bind } from "../../platform/core/bind.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Entry, Owner } from "./conversation.ts";
import { type Deps, openEntry, requireStorage, sealEntry, storeEntries } from "./conversations.usecases.ts";

/** An answer in a conversation that waits for a stream. */
type WaitingAnswer = { owner: Owner; conversationId: string; answerId: string; streamId: string };
type AnswerFields = NonNullable<Entry["answer"]>;
/** How an answer ended. */
type AnswerEnd = { text: string } & Omit<AnswerFields, "question" | "lane" | "model" | "receipt" | "stream_id">;

/** Creates the use cases of answers that streams write into conversations. */
export function createWaitingAnswers(deps: Deps) {
  return bind(deps, { require: requireWaiting, finish: finishAnswer });
}

/** Throws where the owner's conversation has no answer that waits for the stream. */
async function requireWaiting(deps: Deps, answer: WaitingAnswer): Promise<void> {
  const { db, conversationsRepository } = deps;
  const { owner, conversationId } = answer;
  await requireStorage(deps, owner, db);
  const conversation = await conversationsRepository.find(owner, conversationId);
  if (!conversation || conversation.deleted_at !== null) throw errors.conversations.notFound();
  if ((await findWaiting(deps, answer, db)) === null) throw errors.conversations.answerNotFound();
}

type Found = { entry: Entry; fields: AnswerFields };

/** Returns the answer if it waits for the stream. */
async function findWaiting(
  { conversationsRepository, organizationKeys }: Deps,
  { owner, conversationId, answerId, streamId }: WaitingAnswer,
  trx: Deps["db"],
): Promise<Found | null> {
  const sealed = await conversationsRepository.findEntry(owner, conversationId, answerId, trx);
  const key = sealed && (await organizationKeys.ensure(owner.organizationId, trx));
  if (!sealed || !key) return null;
  const entry = openEntry(sealed, key);
  const { answer: fields } = entry;
  return fields?.state === "streaming" && fields.stream_id === streamId ? { entry, fields } : null;
}

/**
 * Saves how an answer ended. Does nothing where it was deleted, does not wait for the stream any more, or the organization keeps no
 * more chats. It is saved right after the state that waited, so that what a client saves of its end is newer.
 */
async function finishAnswer(deps: Deps, answer: WaitingAnswer, { text, ...end }: AnswerEnd): Promise<void> {
  const { db, conversationsRepository, organizationKeys, clock } = deps;
  const { owner, conversationId } = answer;
  await db.transaction().execute(async (trx) => {
    const policy = await conversationsRepository.readPolicy(owner.organizationId, trx);
    if (policy?.storage !== "server") return;
    await conversationsRepository.lockOwner(owner, trx);
    const found = await findWaiting(deps, answer, trx);
    if (!found) return;
    const savedAt = new Date(new Date(found.entry.saved_at).getTime() + 1);
    const ended: Entry = {
      ...found.entry,
      text,
      saved_at: savedAt.toISOString(),
      answer: { ...found.fields, ...end },
    };
    const key = await organizationKeys.ensure(owner.organizationId, trx);
    await storeEntries(deps, owner, conversationId, [sealEntry(ended, key)], trx);
    await conversationsRepository.noteAnswered(owner, conversationId, clock.now(), trx);
  });
}
