import { can, type ProviderKey, type ProviderKeyList, type ProviderKeyTest, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import styles from "#/components/ui/lists/card-list.module.css";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import { ProviderKeyCard } from "#/features/provider-keys/provider-key-card.tsx";
import { ProviderKeyDialog } from "#/features/provider-keys/provider-key-dialog.tsx";
import { PROVIDER_KEY_QUERY_KEYS, providerKeysQuery } from "#/features/provider-keys/queries.ts";
import { feather } from "#/lib/feather.ts";
import { formatShortPercent } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";

/** The organization's own keys for providers, for its admins. */
export default function OrganizationProviderKeysPage() {
  const { user } = useUser();
  if (!user) return null;
  const up = { label: t`Organization`, to: paths.organization };
  if (!mayManageProviderKeys(user))
    return (
      <>
        <PageHeader title={t`Provider keys`} parentPage={up} />
        <EmptyState
          title={t`Admins of the organization manage its provider keys`}
          action={
            <Link className="btn" to={paths.organizationRoles}>
              {t`What each role may do`}
            </Link>
          }
        >
          {t`With them calls are paid by an account at the provider. Ask one of the admins.`}
        </EmptyState>
      </>
    );
  return <ProviderKeys up={up} />;
}

const mayManageProviderKeys = (user: User): boolean => can(user, "manage_organization") && !user.impersonated_by;

function ProviderKeys({ up }: { up: { label: string; to: string } }) {
  const list = useQuery(providerKeysQuery);
  const [editing, setEditing] = useState<ProviderKey | "new" | null>(null);
  const { tested, test, isTesting, remove } = useProviderKeyActions();
  const withoutKey = listWithoutKey(list.data);
  const addButton =
    withoutKey.length > 0 ? (
      <button type="button" className="btn primary" onClick={() => setEditing("new")}>
        {t`Add a key`}
      </button>
    ) : undefined;
  return (
    <>
      <PageHeader
        title={t`Provider keys`}
        parentPage={up}
        description={t`Your organization's own keys for providers of models. Only its calls use them, and its account at the provider pays for them.`}
        action={list.data && list.data.items.length > 0 ? addButton : undefined}
      />
      <p className="mb-5">
        <Link className="link" to={paths.docs("provider-keys")}>
          {t`How provider keys are used`}
        </Link>
      </p>
      <Loaded subject={t`the provider keys`} query={list}>
        {(data) => (
          <>
            <FeeNote data={data} />
            {data.items.length === 0 ? (
              <NoKeys data={data} addButton={addButton} />
            ) : (
              <ul className={styles.list}>
                {data.items.map((item) => (
                  <ProviderKeyCard
                    key={item.provider}
                    providerKey={item}
                    testResult={tested?.provider === item.provider ? tested.result : null}
                    isTesting={isTesting(item)}
                    actions={{ test, remove, replace: setEditing }}
                  />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      <TerminalCommand command="feather provider-keys list" />
      {editing && list.data ? (
        <ProviderKeyDialog
          providers={editing === "new" ? withoutKey : list.data.providers}
          replaced={editing === "new" ? null : editing}
          close={() => setEditing(null)}
        />
      ) : null}
    </>
  );
}

/** Returns the providers for which the organization can set a key and has none. */
function listWithoutKey(data: ProviderKeyList | undefined): ProviderKeyList["providers"] {
  const keyed = new Set(data?.items.map(({ provider }) => provider));
  return data?.providers.filter(({ id }) => !keyed.has(id)) ?? [];
}

function FeeNote({ data: { fee_percent, providers } }: { data: ProviderKeyList }) {
  if (providers.length === 0) return null;
  const percent = formatShortPercent(fee_percent);
  return (
    <p className="muted measure">
      {fee_percent === 0
        ? t`This server charges nothing for calls with your own key.`
        : t`On metered plans this server charges ${percent} of the model's price for calls with your own key.`}
    </p>
  );
}

function NoKeys({ data, addButton }: { data: ProviderKeyList; addButton: React.ReactNode }) {
  if (data.providers.length === 0)
    return (
      <EmptyState title={t`This server uses no keys of organizations`}>
        {t`Its operator decides for which providers organizations may bring their own keys.`}
      </EmptyState>
    );
  return (
    <EmptyState title={t`No provider keys yet`} action={addButton}>
      {t`Add one to call models of a provider with your own account there.`}
    </EmptyState>
  );
}

/** Returns the actions on a key, and the result of the last test. They tell their outcome in a toast. */
function useProviderKeyActions() {
  const confirm = useConfirm();
  const [tested, setTested] = useState<{ provider: string; result: ProviderKeyTest } | null>(null);
  const testing = useAction(({ provider }: ProviderKey) => feather.providerKeys.test(provider), {
    onSuccess: (result, { provider }) => setTested({ provider, result }),
    invalidates: PROVIDER_KEY_QUERY_KEYS,
  });
  const removal = useAction(({ provider }: ProviderKey) => feather.providerKeys.delete(provider), {
    success: (_, { name }) => t`The key for ${name} is removed`,
    invalidates: PROVIDER_KEY_QUERY_KEYS,
  });
  return {
    tested,
    isTesting: ({ provider }: ProviderKey) => testing.busy && testing.variables?.provider === provider,
    test(providerKey: ProviderKey): void {
      setTested(null);
      void testing.run(providerKey);
    },
    remove(providerKey: ProviderKey): void {
      const { name } = providerKey;
      confirm({
        title: t`Remove the key for ${name}?`,
        description: t`No further call is sent with it. Calls may then cost credits here, or not be possible.`,
        confirmButtonText: t`Remove the key`,
        destructive: true,
        action: async () => void (await removal.run(providerKey)),
      });
    },
  };
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient, _: PageLocation, user: User | null): Promise<void> {
  if (user !== null && mayManageProviderKeys(user)) await client.prefetchQuery(providerKeysQuery);
}
