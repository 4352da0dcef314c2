import type { SentPassage } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** Returns the document of a passage with its page and collection, where they are known. */
export function nameSource({
  document_name,
  page,
  collection_name,
}: Pick<SentPassage, "document_name" | "page" | "collection_name">): string {
  const source = page === null ? document_name : t`${document_name}, page ${page}`;
  return collection_name === "" ? source : `${source} · ${collection_name}`;
}
