import type { User, WebhookEndpoint, WebhookEndpointCreate } from "@feather/sdk";
import { can } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import cardStyles from "#/components/ui/lists/card-list.module.css";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import { type EndpointActions, EndpointCard } from "#/features/webhooks/endpoint-card.tsx";
import { EndpointFormDialog } from "#/features/webhooks/endpoint-form-dialog.tsx";
import { EndpointSecretDialog } from "#/features/webhooks/endpoint-secret-dialog.tsx";
import { endpointsQuery, WEBHOOK_QUERY_KEYS } from "#/features/webhooks/queries.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

/** The webhooks of the organization, for its admins. */
export default function OrganizationWebhooksPage() {
  const { user } = useUser();
  if (!user) return null;
  const up = { label: t`Organization`, to: paths.organization };
  if (!mayManageWebhooks(user))
    return (
      <>
        <PageHeader title={t`Webhooks`} parentPage={up} />
        <EmptyState
          title={t`Admins of the organization manage its webhooks`}
          action={
            <Link className="btn" to={paths.organizationRoles}>
              {t`What each role may do`}
            </Link>
          }
        >
          {t`They tell other programs what happens here. Ask one of the admins.`}
        </EmptyState>
      </>
    );
  return <Webhooks up={up} />;
}

const mayManageWebhooks = (user: User): boolean => can(user, "manage_organization") && !user.impersonated_by;

/** Which form is open: none, that of a new endpoint, or that of one to change. */
type OpenForm = null | "new" | WebhookEndpoint;

function Webhooks({ up }: { up: { label: string; to: string } }) {
  const { data, error, refetch } = useQuery(endpointsQuery);
  const [openForm, setOpenForm] = useState<OpenForm>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const actions = useEndpointActions(setSecret);
  const save = useAction(
    (body: WebhookEndpointCreate, options) =>
      typeof openForm === "object" && openForm !== null
        ? feather.webhooks.update(openForm.id, body, options)
        : feather.webhooks.create(body, options),
    {
      invalidates: WEBHOOK_QUERY_KEYS,
      onSuccess(saved) {
        setOpenForm(null);
        if ("secret" in saved && typeof saved.secret === "string") setSecret(saved.secret);
      },
    },
  );
  const newButton = (
    <button type="button" className="btn primary" onClick={() => setOpenForm("new")}>
      {t`New endpoint`}
    </button>
  );
  return (
    <>
      <PageHeader
        title={t`Webhooks`}
        parentPage={up}
        description={t`Your programs are told what happens here: each event is sent to an address of yours, signed, and sent again if that fails.`}
        action={data && data.items.length > 0 ? newButton : undefined}
      />
      <p className="mb-5">
        <Link className="link" to={paths.docs("webhooks")}>
          {t`How to receive events`}
        </Link>
      </p>
      {error && !data ? (
        <LoadError subject={t`The webhooks`} error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={120} />
      ) : data.items.length === 0 ? (
        <EmptyState title={t`No endpoints yet`} action={newButton}>
          {t`Make one to hear when a deployment runs, credits run low or somebody joins.`}
        </EmptyState>
      ) : (
        <ul className={cardStyles.list}>
          {data.items.map((endpoint) => (
            <EndpointCard key={endpoint.id} endpoint={endpoint} actions={{ ...actions, edit: setOpenForm }} />
          ))}
        </ul>
      )}
      <TerminalCommand command="feather webhooks list" />
      <EndpointFormDialog
        open={openForm !== null}
        endpoint={openForm === "new" ? null : openForm}
        close={() => setOpenForm(null)}
        save={save.submit}
      />
      <EndpointSecretDialog secret={secret} close={() => setSecret(null)} />
    </>
  );
}

/** Returns the actions on an endpoint that need no form. They tell their outcome in a toast. */
function useEndpointActions(showSecret: (secret: string) => void): Omit<EndpointActions, "edit"> {
  const confirm = useConfirm();
  const test = useAction((endpoint: WebhookEndpoint, options) => feather.webhooks.test(endpoint.id, options), {
    success: () => t`A test is on its way`,
    invalidates: WEBHOOK_QUERY_KEYS,
  });
  const switching = useAction(
    ({ endpoint, disabled }: { endpoint: WebhookEndpoint; disabled: boolean }) =>
      feather.webhooks.update(endpoint.id, { disabled }),
    {
      success: (_, { disabled }) => (disabled ? t`The endpoint is disabled` : t`The endpoint is enabled`),
      invalidates: WEBHOOK_QUERY_KEYS,
    },
  );
  const rotation = useAction((endpoint: WebhookEndpoint, options) => feather.webhooks.rotate(endpoint.id, options), {
    invalidates: WEBHOOK_QUERY_KEYS,
    onSuccess: ({ secret }) => showSecret(secret),
  });
  const removal = useAction((endpoint: WebhookEndpoint) => feather.webhooks.delete(endpoint.id), {
    success: () => t`The endpoint is deleted`,
    invalidates: WEBHOOK_QUERY_KEYS,
  });
  return {
    test: (endpoint) => void test.run(endpoint),
    setDisabled: (endpoint, disabled) => void switching.run({ endpoint, disabled }),
    rotate: (endpoint) =>
      confirm({
        title: t`Replace the secret of this endpoint?`,
        description: t`The new one is shown once. For 24 hours events are signed with the old one too.`,
        confirmButtonText: t`Replace it`,
        action: async () => void (await rotation.run(endpoint)),
      }),
    remove: (endpoint) =>
      confirm({
        title: t`Delete this endpoint?`,
        description: t`No more events are sent to ${endpoint.url}, and its deliveries are deleted.`,
        confirmButtonText: t`Delete it`,
        destructive: true,
        action: async () => void (await removal.run(endpoint)),
      }),
  };
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, _: PageLocation, user: User | null): Promise<void> {
  if (user !== null && mayManageWebhooks(user)) await client.prefetchQuery(endpointsQuery);
}
