import type { Collection, CollectionWrite } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { SelectOption } from "#/components/ui/controls/select-props.ts";

/** Choices that are no models; ids of models have no colon at their beginning. */
const AUTOMATIC = ":automatic";
const WORDS = ":words";

/** Returns what is chosen for a collection at first; for a new one the server chooses. */
export const toEmbeddingChoice = (collection: Pick<Collection, "embedding_model"> | null): string =>
  collection === null ? AUTOMATIC : (collection.embedding_model ?? WORDS);

/** Returns the choices for a collection: those without a model, and models for embeddings, the stored one among them. */
export function listEmbeddingChoices(
  collection: Pick<Collection, "embedding_model"> | null,
  models: readonly string[],
): SelectOption[] {
  const stored = collection?.embedding_model ?? null;
  const ids = [...new Set([...(stored === null ? [] : [stored]), ...models])];
  return [
    ...(collection === null ? [{ value: AUTOMATIC, label: t`One that can be called now, if there is one` }] : []),
    { value: WORDS, label: t`None: words alone are compared` },
    ...ids.map((id) => ({ value: id, label: id })),
  ];
}

/** Returns the field of a request; nothing where the choice stays as it is, or the server chooses. */
export function toEmbeddingModel(
  choice: string,
  collection: Pick<Collection, "embedding_model"> | null,
): Pick<CollectionWrite, "embedding_model"> {
  if (choice === toEmbeddingChoice(collection)) return {};
  return { embedding_model: choice === WORDS ? null : choice };
}
