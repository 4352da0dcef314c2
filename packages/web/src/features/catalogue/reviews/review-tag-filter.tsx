import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { reviewTagsQuery } from "#/entities/models/queries.ts";
import { formatCount } from "#/lib/format.ts";
import styles from "../catalogue.module.css";

type Props = {
  /** How many reviews have each tag, by its id. */
  counts: Readonly<Record<string, number>>;
  selected: readonly string[];
  onSelect(tags: readonly string[]): void;
};

/** Buttons that narrow reviews to those with tags, the most frequent tags first. */
export function ReviewTagFilter({ counts, selected, onSelect }: Props) {
  const { data: offered } = useQuery(reviewTagsQuery);
  const ids = Object.keys(counts).sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
  if (ids.length === 0) return null;
  return (
    <fieldset className={`${styles.reviewTags} mt-2 num`}>
      <legend className="visually-hidden">{t`Only reviews with these tags`}</legend>
      {ids.map((id) => {
        const isSelected = selected.includes(id);
        return (
          <button
            key={id}
            type="button"
            className={isSelected ? "chip on" : "chip"}
            aria-pressed={isSelected}
            onClick={() => onSelect(isSelected ? selected.filter((tag) => tag !== id) : [...selected, id])}
          >
            <span className="user-text">{offered?.find((one) => one.id === id)?.label ?? id}</span>{" "}
            <span className="faint">{formatCount(counts[id] ?? 0)}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
