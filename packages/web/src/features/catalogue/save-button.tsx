import { t } from "@lingui/core/macro";
import type { MouseEvent } from "react";
import { Star } from "#/components/ui/bits.tsx";
import { LoginLink } from "#/components/ui/login-link.tsx";
import type { Model } from "./queries.ts";
import { useSaving } from "./saved.ts";

/** A button that saves a model to the user's list, or removes it. */
export function SaveButton({ model, signedIn }: { model: Model; signedIn: boolean }) {
  const { saved, press } = useSaved(model);
  if (!signedIn)
    return (
      <LoginLink className="btn">
        <Star lit={false} /> {t`Save`}
      </LoginLink>
    );
  return (
    <button type="button" className="btn" aria-pressed={saved} onClick={press}>
      <Star lit={saved} /> {saved ? t`Saved` : t`Save`}
    </button>
  );
}

/** The same button as a star, for lists. */
export function SaveStar({ model }: { model: Model }) {
  const { saved, press } = useSaved(model);
  return (
    <button
      type="button"
      className={saved ? "star on" : "star"}
      aria-pressed={saved}
      aria-label={t`Save ${model.id}`}
      title={saved ? t`Saved` : t`Save`}
      onClick={press}
    >
      <Star lit={saved} />
    </button>
  );
}

function useSaved({ id, is_favorite }: Model) {
  const change = useSaving();
  const saved = is_favorite === true;
  return {
    saved,
    press(event: MouseEvent): void {
      // Ignores the second click of a double click.
      if (event.detail <= 1) change({ id, saved: !saved });
    },
  };
}
