import type { ContentItem, ContentWrite } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useNavigate } from "react-router-dom";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { adminPaths } from "../paths.ts";
import { type ContentKind, contentItemQuery } from "./queries.ts";

/** Everything that shows posts and pages. */
const QUERY_KEYS = [...ADMIN_QUERY_KEYS, queries.posts.key(), queries.pages.key()];

type Place = { kind: ContentKind; slug: string };

/** The writes of the editor. `begin` starts anew with what the server has stored. */
export function useContentActions({ kind, slug }: Place, begin: (item: ContentItem) => void) {
  const navigate = useNavigate();
  const save = useAction((write: ContentWrite) => feather.admin.content.put(kind, slug, write), {
    success: (saved) => t`“${saved.title}” is saved`,
    onSuccess: (saved, _, client) => {
      client.setQueryData(contentItemQuery(kind, slug).queryKey, saved);
      begin(saved);
    },
    showsError: true,
    invalidates: QUERY_KEYS,
  });
  const removal = useAction(({ version }: ContentItem) => feather.admin.content.delete(kind, slug, { version }), {
    success: (_, { title }) => t`“${title}” is deleted`,
    onSuccess: () => void navigate(adminPaths.content),
    invalidates: QUERY_KEYS,
  });
  return { save, removal };
}
