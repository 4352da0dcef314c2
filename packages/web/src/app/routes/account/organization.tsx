import { can, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { paths } from "#/config/paths.ts";
import { organizationsQuery } from "#/entities/session/organizations.ts";
import { useUser } from "#/entities/session/user.ts";
import { Tabs } from "#/features/admin/tabs.tsx";
import { BudgetsSection } from "#/features/organization/budgets-section.tsx";
import { CallsSection } from "#/features/organization/calls-section.tsx";
import { ChatsSection } from "#/features/organization/chats-section.tsx";
import { InvitationsSection } from "#/features/organization/members/invitations-section.tsx";
import { InviteButton } from "#/features/organization/members/invite-button.tsx";
import { MembersSection } from "#/features/organization/members/members-section.tsx";
import { NameSection } from "#/features/organization/name-section.tsx";
import { budgetsQuery, invitationsQuery, membersQuery } from "#/features/organization/queries.ts";
import { SwitchSection } from "#/features/organization/switch-section.tsx";

const VIEW_PARAMETER = "view";
const INVITATIONS_VIEW = "invitations";

/**
 * The organization of the user: members, budgets, where calls may go, and name; with `?view=invitations` its invitations. It also
 * switches to another organization.
 */
export default function OrganizationPage() {
  const { user } = useUser();
  const [params] = useSearchParams();
  if (!user) return null;
  const { organization } = user;
  const manages = mayManageMembers(user);
  return (
    <>
      <h1 className="h2">{t`Organization`}</h1>
      <p className="muted mt-2 mb-5 measure">
        {manages
          ? t`Plan, keys, usage and deployments belong to ${organization.name}. Invite those who share them.`
          : t`Plan, keys, usage and deployments belong to ${organization.name}. Its admins decide who shares them.`}
      </p>
      <p className="row wrapping mb-5">
        <Link className="link" to={paths.organizationRoles}>
          {t`What each role may do`}
        </Link>
        <Link className="link" to={paths.organizationTools}>
          {t`Tools`}
        </Link>
        {can(user, "manage_organization") ? (
          <>
            <Link className="link" to={paths.organizationLog}>
              {t`Audit log`}
            </Link>
            <Link className="link" to={paths.organizationProviderKeys}>
              {t`Provider keys`}
            </Link>
            <Link className="link" to={paths.organizationWebhooks}>
              {t`Webhooks`}
            </Link>
          </>
        ) : null}
      </p>
      {manages ? (
        <Tabs
          label={t`Organization`}
          name={VIEW_PARAMETER}
          tabs={[
            { value: "members", label: t`Members and settings` },
            { value: INVITATIONS_VIEW, label: t`Invitations` },
          ]}
        />
      ) : null}
      {manages && params.get(VIEW_PARAMETER) === INVITATIONS_VIEW ? (
        <InvitationsSection />
      ) : (
        <MembersAndSettings user={user} />
      )}
      <TerminalCommand command="feather members list" />
    </>
  );
}

/** The members, budgets and settings of the organization. */
function MembersAndSettings({ user }: { user: User }) {
  const { organization } = user;
  const manages = mayManageMembers(user);
  const mayChange = can(user, "manage_organization") && !user.impersonated_by;
  return (
    <>
      <MembersSection user={user} action={manages ? <InviteButton /> : null} />
      <BudgetsSection user={user} />
      <CallsSection organizationId={organization.id} mayChange={mayChange} />
      <ChatsSection organizationId={organization.id} mayChange={mayChange} />
      {manages ? <NameSection name={organization.name} /> : null}
      <SwitchSection currentId={organization.id} />
    </>
  );
}

const mayManageMembers = (user: User): boolean => can(user, "manage_members") && !user.impersonated_by;

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, { search }: PageLocation, user: User | null): Promise<void> {
  const showsInvitations = new URLSearchParams(search).get(VIEW_PARAMETER) === INVITATIONS_VIEW;
  if (showsInvitations && user && mayManageMembers(user)) return client.prefetchQuery(invitationsQuery);
  await Promise.all([
    client.prefetchQuery(membersQuery),
    client.prefetchQuery(budgetsQuery),
    client.prefetchQuery(organizationsQuery),
  ]);
}
