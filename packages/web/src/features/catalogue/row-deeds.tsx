import { Suspense } from "react";
import { lazyPart } from "#/lib/lazy-part.ts";
import { PickBox } from "./compare/pick-box.tsx";
import { MOST, toggled } from "./compare/picks.ts";
import type { Model } from "./queries.ts";

// Lazy, because visitors without an account do not need it.
const SaveStar = lazyPart(async () => (await import("./save-button.tsx")).SaveStar);

type Props = { model: Model; picks: readonly string[]; pick(ids: readonly string[]): void; signedIn: boolean };

/** Actions on a model in the list: select it for the comparison, and save it. */
export function RowDeeds({ model, picks, pick, signedIn }: Props) {
  return (
    <>
      <PickBox
        id={model.id}
        picked={picks.includes(model.id)}
        full={picks.length === MOST}
        toggle={() => pick(toggled(picks, model.id))}
      />
      {signedIn ? (
        <Suspense fallback={<span className="star" />}>
          <SaveStar model={model} />
        </Suspense>
      ) : null}
    </>
  );
}
