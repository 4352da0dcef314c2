import { t } from "@lingui/core/macro";
import { Select } from "#/components/ui/select.tsx";

const SORTS = [
  ["", t`Best match`],
  ["-trending_rank", t`Most called`],
  ["-released_date", t`Newest`],
  ["-parameter_size", t`Largest`],
  ["parameter_size", t`Smallest`],
  ["-avg_rating", t`Best rated`],
  ["name", t`Name`],
] as const;

/** A select of the list's order. */
export function SortSelect({ value, onSelect }: { value: string; onSelect(value: string): void }) {
  return (
    <Select
      look="button"
      aria-label={t`Sort by`}
      value={value}
      options={SORTS.map(([name, label]) => ({ value: name, label }))}
      onChange={onSelect}
    />
  );
}
