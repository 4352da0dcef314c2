import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { MouseEvent } from "react";
import { LoginLink } from "#/components/ui/login-link.tsx";
import { Star } from "#/components/ui/primitives.tsx";
import styles from "./catalogue.module.css";
import { useSetSaved } from "./use-set-saved.ts";

/** A button that saves a model to the user's list, or removes it. */
export function SaveButton({ model, signedIn }: { model: Model; signedIn: boolean }) {
  const { saved, handleClick } = useSavedState(model);
  if (!signedIn)
    return (
      <LoginLink className="btn">
        <Star filled={false} /> {t`Save`}
      </LoginLink>
    );
  return (
    <button type="button" className="btn" aria-pressed={saved} onClick={handleClick}>
      <Star filled={saved} /> {saved ? t`Saved` : t`Save`}
    </button>
  );
}

/** The same button as a star, for lists. */
export function SaveStar({ model }: { model: Model }) {
  const { saved, handleClick } = useSavedState(model);
  return (
    <button
      type="button"
      className={saved ? `${styles.star} on` : styles.star}
      aria-pressed={saved}
      aria-label={t`Save ${model.id}`}
      title={saved ? t`Saved` : t`Save`}
      onClick={handleClick}
    >
      <Star filled={saved} />
    </button>
  );
}

function useSavedState({ id, is_favorite }: Model) {
  const setSaved = useSetSaved();
  const saved = is_favorite === true;
  return {
    saved,
    handleClick(event: MouseEvent): void {
      // Ignores the second click of a double click.
      if (event.detail <= 1) setSaved({ id, saved: !saved });
    },
  };
}
