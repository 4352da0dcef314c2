import type { Collection, CollectionDocument } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { List } from "#/components/list/list.tsx";
import type { Filter } from "#/components/list/list-params.ts";
import { useListState } from "#/components/list/use-list-state.ts";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { COLLECTION_KEYS, documentsQuery } from "../queries.ts";
import { createDocumentColumns } from "./document-columns.tsx";
import { UploadArea } from "./upload-area.tsx";

const NO_FILTERS: readonly Filter[] = [];

/** The documents of a collection with their states. Those who may change it add documents and delete them. */
export function DocumentList({ collection }: { collection: Collection }) {
  const list = useListState(NO_FILTERS);
  const documents = useQuery(documentsQuery(collection.id, list.page));
  const remove = useDocumentRemoval(collection.id);
  const client = useQueryClient();
  const { may_change: mayChange } = collection;
  const rows = (
    <List
      title={t`Documents`}
      isCards
      list={list}
      query={documents}
      columns={createDocumentColumns(mayChange ? remove : null)}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={{
        title: t`No documents yet`,
        text: mayChange
          ? t`Add documents with the button above, or drop them here. Their texts are kept encrypted, the files are not kept.`
          : t`Nobody has added documents to this collection.`,
      }}
    />
  );
  if (!mayChange) return rows;
  return (
    <UploadArea
      key={collection.id}
      collectionId={collection.id}
      added={() => {
        for (const queryKey of COLLECTION_KEYS) void client.invalidateQueries({ queryKey });
      }}
    >
      {rows}
    </UploadArea>
  );
}

/** Returns what deletes a document after a question. */
function useDocumentRemoval(collectionId: string): (document: CollectionDocument) => void {
  const confirm = useConfirm();
  const removal = useAction(({ id }: CollectionDocument) => feather.collections.documents.delete(collectionId, id), {
    success: (_, { name }) => t`${name} is deleted`,
    invalidates: COLLECTION_KEYS,
  });
  return (document) =>
    confirm({
      title: t`Delete ${document.name}?`,
      description: t`Its passages and vectors cannot be brought back. Chats keep the passages that were sent.`,
      confirmButtonText: t`Delete the document`,
      destructive: true,
      action: async () => void (await removal.run(document)),
    });
}
