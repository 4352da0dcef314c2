import { can } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import { Library } from "#/features/chat/library/library.tsx";
import { promptsQuery } from "#/features/chat/library/queries.ts";

/** The prompts and personas of the organization, which all members use and admins change. */
export default function OrganizationPromptsPage() {
  const { user } = useUser();
  if (!user) return null;
  return (
    <Library
      owner="organization"
      mayChange={can(user, "manage_organization") && !user.impersonated_by}
      renderHeader={(action) => (
        <PageHeader
          title={t`Prompts`}
          action={action}
          parentPage={{ label: t`Organization`, to: paths.organization }}
          description={t`Prompts and personas for all members of your organization. Its admins write them.`}
        />
      )}
    />
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(promptsQuery);
