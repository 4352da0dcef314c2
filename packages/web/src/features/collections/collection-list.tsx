import type { Collection } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { ListPage } from "#/components/list/list-page.tsx";
import type { Filter } from "#/components/list/list-params.ts";
import { containsText, takePage } from "#/components/list/take-page.ts";
import { useListState } from "#/components/list/use-list-state.ts";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { paths } from "#/config/paths.ts";
import { createCollectionColumns } from "./collection-columns.tsx";
import { CollectionDialog } from "./collection-dialog.tsx";
import { collectionsQuery } from "./queries.ts";
import { useCollectionRemoval } from "./use-collection-removal.ts";

const FILTERS: readonly Filter[] = [{ kind: "search", name: "search", label: t`Search by name or description` }];

/** The collections that the user may read, which can be created, changed and deleted. A new one is opened. */
export function CollectionList() {
  const navigate = useNavigate();
  const list = useListState(FILTERS);
  const collections = useQuery(collectionsQuery);
  const [form, setForm] = useState<{ collection: Collection | null } | null>(null);
  const remove = useCollectionRemoval();
  const found = collections.data?.items.filter(({ name, description }) =>
    containsText([name, description], list.values.search),
  );
  const newButton = (
    <button type="button" className="btn primary" onClick={() => setForm({ collection: null })}>
      {t`New collection`}
    </button>
  );
  return (
    <>
      <ListPage
        title={t`Collections`}
        description={t`Documents of your organization, whose passages go with questions in chats and calls.`}
        action={newButton}
        name="collections"
        isCards
        list={list}
        query={{ ...collections, data: found && takePage(found, list.page) }}
        columns={createCollectionColumns({ change: (collection) => setForm({ collection }), remove })}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{
          title: t`No collections yet`,
          text: t`A collection holds the texts of documents. Questions search it, and answers name the document and the page.`,
          action: newButton,
        }}
      />
      <TerminalCommand command="feather collections list" />
      {form ? (
        <CollectionDialog
          collection={form.collection}
          saved={({ id }) => (form.collection ? setForm(null) : void navigate(paths.collection(id)))}
          close={() => setForm(null)}
        />
      ) : null}
    </>
  );
}
