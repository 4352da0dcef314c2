import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Tag } from "#/components/ui/primitives.tsx";
import { reviewTagsQuery } from "#/entities/models/queries.ts";
import { formatCount } from "#/lib/format.ts";
import styles from "./catalogue.module.css";

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

type TagsProps = { ids: readonly string[]; counts?: Readonly<Record<string, number>> };

/** Tags with their labels, and with the number of reviews where it is given. */
export function ReviewTags({ ids, counts }: TagsProps) {
  const { data: offered } = useQuery(reviewTagsQuery);
  if (ids.length === 0) return null;
  return (
    <p className="row wrapping mt-2 num">
      {ids.map((id) => (
        <Tag key={id}>
          {offered?.find((one) => one.id === id)?.label ?? id}
          {counts?.[id] === undefined ? null : ` ${formatCount(counts[id])}`}
        </Tag>
      ))}
    </p>
  );
}
