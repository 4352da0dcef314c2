import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { Library } from "#/features/chat/library/library.tsx";
import { promptsQuery } from "#/features/chat/library/queries.ts";

/** The user's own prompts and personas in their organization. */
export default function PromptsPage() {
  return (
    <Library
      owner="person"
      mayChange
      renderHeader={(action) => (
        <PageHeader
          title={t`Prompts`}
          action={action}
          description={t`Texts that you use often, and personas that chats begin with. Only you see them.`}
        />
      )}
    />
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(promptsQuery);
