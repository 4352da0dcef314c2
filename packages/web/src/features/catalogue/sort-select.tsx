import { t } from "@lingui/core/macro";

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
    <select className="btn" aria-label={t`Sort by`} value={value} onChange={(event) => onSelect(event.target.value)}>
      {SORTS.map(([name, label]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  );
}
