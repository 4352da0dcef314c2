import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { toolServersQuery } from "#/features/tool-servers/owner.ts";
import { ToolServers } from "#/features/tool-servers/tool-servers.tsx";

/** The servers of tools for everybody. */
export default function AdminToolsPage() {
  return (
    <ToolServers
      owner="everybody"
      renderHeader={(action) => (
        <PageHeader
          title={t`Tools`}
          action={action}
          description={t`Servers whose tools every organization can call. An organization's own server of the same name replaces one for it.`}
        />
      )}
    />
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(toolServersQuery("everybody"));
