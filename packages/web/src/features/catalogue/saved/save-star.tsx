import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Star } from "#/components/ui/labels/star.tsx";
import styles from "../catalogue.module.css";
import { useSavedState } from "./use-saved-state.ts";

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
