import { useQuery } from "@tanstack/react-query";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { reviewTagsQuery } from "#/entities/models/queries.ts";
import { formatCount } from "#/lib/format.ts";

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
