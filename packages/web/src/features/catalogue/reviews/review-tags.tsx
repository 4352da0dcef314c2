import { useQuery } from "@tanstack/react-query";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { reviewTagsQuery } from "#/entities/models/queries.ts";

/** The tags of a review with their labels. */
export function ReviewTags({ ids }: { ids: readonly string[] }) {
  const { data: offered } = useQuery(reviewTagsQuery);
  if (ids.length === 0) return null;
  return (
    <p className="row wrapping mt-2">
      {ids.map((id) => (
        <Tag key={id}>{offered?.find((one) => one.id === id)?.label ?? id}</Tag>
      ))}
    </p>
  );
}
