import { t } from "@lingui/core/macro";
import styles from "../catalogue.module.css";

const MAX_TAGS = 5;

type ChoiceProps = {
  offered: readonly { id: string; label: string }[];
  selected: readonly string[];
  onSelect(tags: readonly string[]): void;
};

/** Buttons that select the tags of a review. */
export function ReviewTagPicker({ offered, selected, onSelect }: ChoiceProps) {
  const isFull = offered.filter(({ id }) => selected.includes(id)).length >= MAX_TAGS;
  return (
    <fieldset className={`${styles.reviewTags} mt-2`}>
      <legend className="small muted">{t`What stands out, up to ${MAX_TAGS}`}</legend>
      {offered.map(({ id, label }) => {
        const isSelected = selected.includes(id);
        return (
          <button
            key={id}
            type="button"
            className={isSelected ? "chip on" : "chip"}
            aria-pressed={isSelected}
            disabled={isFull && !isSelected}
            onClick={() => onSelect(isSelected ? selected.filter((tag) => tag !== id) : [...selected, id])}
          >
            <span className="user-text">{label}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
