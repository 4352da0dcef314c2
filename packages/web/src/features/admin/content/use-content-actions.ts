import type { ContentItem } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useNavigate } from "react-router-dom";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { adminPaths } from "../paths.ts";
import { type ContentDraft, toContentWrite } from "./draft.ts";
import { type ContentKind, contentItemQuery } from "./queries.ts";

/** Everything that shows posts and pages. */
const QUERY_KEYS = [...ADMIN_QUERY_KEYS, queries.posts.key(), queries.pages.key()];

type Place = { kind: ContentKind; slug: string };

/** A draft, and what was stored when it was begun. */
type Save = { draft: ContentDraft; base: ContentItem | null };

/** The writes of the editor. `settle` goes on from what the server has stored of what was sent. */
export function useContentActions({ kind, slug }: Place, settle: (sent: ContentDraft, saved: ContentItem) => void) {
  const navigate = useNavigate();
  const save = useAction(
    ({ draft, base }: Save) => feather.admin.content.put(kind, slug, toContentWrite(draft, base)),
    {
      success: (saved) => t`“${saved.title}” is saved`,
      onSuccess: (saved, { draft }, client) => {
        client.setQueryData(contentItemQuery(kind, slug).queryKey, saved);
        settle(draft, saved);
      },
      showsError: true,
      invalidates: QUERY_KEYS,
    },
  );
  const removal = useAction(({ version }: ContentItem) => feather.admin.content.delete(kind, slug, { version }), {
    success: (_, { title }) => t`“${title}” is deleted`,
    onSuccess: () => void navigate(adminPaths.content),
    invalidates: QUERY_KEYS,
  });
  return { save, removal };
}
