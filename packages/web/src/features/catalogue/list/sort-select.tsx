import { t } from "@lingui/core/macro";
import { Select } from "#/components/ui/controls/select.tsx";

const SORTS = [
  ["", t`Best match`],
  ["-trending_rank", t`Most called`],
  ["-released_date", t`Newest`],
  ["-parameter_size", t`Largest`],
  ["parameter_size", t`Smallest`],
  ["-avg_rating", t`Best rated`],
  ["name", t`Name`],
] as const;
/** What fits the server is known to signed-in users only. */
const USER_SORTS = [["fit", t`Fits here first`]] as const;

type Props = { value: string; signedIn: boolean; onSelect(value: string): void };

/** A select of the list's order. */
export function SortSelect({ value, signedIn, onSelect }: Props) {
  const sorts = signedIn ? [...SORTS, ...USER_SORTS] : SORTS;
  return (
    <Select
      look="button"
      aria-label={t`Sort by`}
      value={value}
      options={sorts.map(([name, label]) => ({ value: name, label }))}
      onChange={onSelect}
    />
  );
}
