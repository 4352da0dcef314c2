import type { Model } from "@feather/sdk";
import { Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "../catalogue.module.css";
import { PickBox } from "../compare/pick-box.tsx";
import { MAX_PICKS, togglePick } from "../compare/picks.ts";

// Lazy, because visitors without an account do not need it.
const SaveStar = lazyComponent(async () => (await import("../saved/save-star.tsx")).SaveStar);

type Props = { model: Model; picks: readonly string[]; setPicks(ids: readonly string[]): void; signedIn: boolean };

/** Actions on a model in the list: select it for the comparison, and save it. */
export function RowActions({ model, picks, setPicks, signedIn }: Props) {
  return (
    <>
      <PickBox
        id={model.id}
        isPicked={picks.includes(model.id)}
        isFull={picks.length === MAX_PICKS}
        toggle={() => setPicks(togglePick(picks, model.id))}
      />
      {signedIn ? (
        <Suspense fallback={<span className={styles.star} />}>
          <SaveStar model={model} />
        </Suspense>
      ) : null}
    </>
  );
}
