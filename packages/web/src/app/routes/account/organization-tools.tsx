import { can, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import { PageHeader } from "#/features/admin/page-header.tsx";
import { membersQuery } from "#/features/organization/queries.ts";
import { CallableTools } from "#/features/tool-servers/callable-tools.tsx";
import { toolServersQuery } from "#/features/tool-servers/owner.ts";
import { toolCallsQuery } from "#/features/tool-servers/tool-calls-query.ts";
import { ToolCallsSection } from "#/features/tool-servers/tool-calls-section.tsx";
import { ToolServers } from "#/features/tool-servers/tool-servers.tsx";
import { queries } from "#/lib/queries.ts";

/** The servers of tools of the organization for its admins, the tools that they may call for others, and the calls. */
export default function OrganizationToolsPage() {
  const { user } = useUser();
  if (!user) return null;
  const up = { label: t`Organization`, to: paths.organization };
  return (
    <>
      {mayManageTools(user) ? (
        <ToolServers
          owner="organization"
          parentPage={up}
          description={t`Servers whose tools the members of your organization can call: in chats, from programs, and with clients of the Model Context Protocol.`}
        />
      ) : (
        <>
          <PageHeader title={t`Tools`} parentPage={up} description={t`What models in your chats, and you, can call.`} />
          <p className="mb-5">
            <Link className="link" to={paths.docs("tools")}>
              {t`How tools are registered and called`}
            </Link>
          </p>
          {mayCallTools(user) ? <CallableTools /> : <NoTools />}
        </>
      )}
      <ToolCallsSection />
    </>
  );
}

function NoTools() {
  return (
    <EmptyState
      title={t`Admins of the organization manage its tools`}
      action={
        <Link className="btn" to={paths.organizationRoles}>
          {t`What each role may do`}
        </Link>
      }
    >
      {t`Members whose role may call models can call them. Ask one of the admins.`}
    </EmptyState>
  );
}

const mayManageTools = (user: User): boolean => can(user, "manage_organization") && !user.impersonated_by;
const mayCallTools = (user: User): boolean => can(user, "call_models") && !user.impersonated_by;

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, _: PageLocation, user: User | null): Promise<void> {
  if (user === null) return;
  await Promise.all([
    client.prefetchQuery(toolCallsQuery(1)),
    client.prefetchQuery(membersQuery),
    mayManageTools(user) && client.prefetchQuery(toolServersQuery("organization")),
    !mayManageTools(user) && mayCallTools(user) && client.prefetchQuery(queries.tools.list.queryOptions()),
  ]);
}
