import type { Collection } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { paths } from "#/config/paths.ts";
import { describeAccess } from "./access.ts";
import { CollectionDialog } from "./collection-dialog.tsx";
import { DocumentList } from "./documents/document-list.tsx";
import { PassageSearch } from "./passage-search.tsx";
import { useCollectionRemoval } from "./use-collection-removal.ts";

/** A collection: who may read it, its documents, and a search in them. It can be changed by those who may. */
export function CollectionView({ collection }: { collection: Collection }) {
  const navigate = useNavigate();
  const [isChanging, setChanging] = useState(false);
  const remove = useCollectionRemoval(() => void navigate(paths.collections));
  const { name, description, may_change: mayChange } = collection;
  return (
    <>
      <PageHeader
        title={name}
        parentPage={{ label: t`Collections`, to: paths.collections }}
        description={[description, describe(collection)].filter(Boolean).join(" · ")}
        action={
          mayChange ? (
            <span className="row wrapping">
              <button type="button" className="btn" onClick={() => setChanging(true)}>
                {t`Change`}
              </button>
              <button type="button" className="btn" onClick={() => remove(collection)}>
                {t`Delete`}
              </button>
            </span>
          ) : undefined
        }
      />
      {mayChange ? null : (
        <p className="notice quiet mb-5">
          {t`You can read and search this collection. The person who created it and admins of your organization change it and its documents.`}
        </p>
      )}
      <DocumentList collection={collection} />
      <PassageSearch key={collection.id} collectionId={collection.id} />
      <TerminalCommand command={`feather collections documents ${collection.id}`} />
      {isChanging ? (
        <CollectionDialog collection={collection} saved={() => setChanging(false)} close={() => setChanging(false)} />
      ) : null}
    </>
  );
}

function describe({ access, embedding_model: model }: Collection): string {
  const readers = describeAccess(access);
  return model === null
    ? t`read by ${readers}, compared by words alone`
    : t`read by ${readers}, compared by words and by ${model}`;
}
