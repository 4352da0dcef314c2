import { t } from "@lingui/core/macro";
import { Suspense, useState } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";

const LoadedCollectionPicker = lazyComponent(async () => (await import("./collection-picker.tsx")).CollectionPicker);

type Props = {
  /** Ids of the chosen collections. */
  chosen: readonly string[];
  setChosen(ids: readonly string[]): void;
};

/** Says how many collections the questions of the conversation search, and opens the choice of them, which is loaded then. */
export function CollectionChip({ chosen, setChosen }: Props) {
  const [isOpen, setOpen] = useState(false);
  const count = chosen.length;
  return (
    <>
      <button type="button" className="chip" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {count === 0 ? t`Collections` : t`Collections: ${count}`}
      </button>
      <Suspense fallback={null}>
        {isOpen ? (
          <LoadedCollectionPicker chosen={chosen} setChosen={setChosen} onClose={() => setOpen(false)} />
        ) : null}
      </Suspense>
    </>
  );
}
