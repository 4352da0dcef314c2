import type { ApiKey, ApiKeyCreate, ApiKeyUpdate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { keysPageQuery, keysQuery, keyUsageQuery } from "#/entities/api-keys/queries.ts";
import { useKeyUsage } from "#/entities/api-keys/use-key-usage.ts";
import { useUser } from "#/entities/session/user.ts";
import { EditKeyDialog } from "#/features/api-keys/edit-key-dialog.tsx";
import type { KeyActions } from "#/features/api-keys/key-menu.tsx";
import { getKeyLimitMessage, getKeysReadOnlyReason } from "#/features/api-keys/key-permissions.ts";
import { KeySecretDialog, type NewSecret } from "#/features/api-keys/key-secret-dialog.tsx";
import { KeyTable } from "#/features/api-keys/key-table.tsx";
import { NewKeyDialog } from "#/features/api-keys/new-key-dialog.tsx";
import { RotateKeyDialog } from "#/features/api-keys/rotate-key-dialog.tsx";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./api-keys.module.css";

const KEY_QUERY_KEYS = [queries.apiKeys.key()];

/** The API keys of the organization: list, create, edit, rotate, switch off and delete. `?new` opens the form. */
export default function ApiKeysPage() {
  const reasonId = useId();
  const { user } = useUser();
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(keysPageQuery(page));
  // The last key of the last page was deleted.
  if (page > 1 && data?.items.length === 0) setPage(page - 1);
  const usage = useKeyUsage();
  const [isCreating, setCreating] = useNewKeyParameter();
  const [editing, setEditing] = useState<ApiKey | null>(null);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [created, setCreated] = useState<NewSecret | null>(null);
  const actions = useKeyActions();
  const creation = useAction((body: ApiKeyCreate, options) => feather.apiKeys.create(body, options), {
    invalidates: KEY_QUERY_KEYS,
    onSuccess({ name, secret }, body) {
      setCreating(false);
      setCreated({ name, secret, scopes: body.scopes ?? [], allowedModels: body.allowed_models ?? [] });
    },
  });
  const change = useAction(
    async ({ key, changes }: { key: ApiKey; changes: ApiKeyUpdate }) => {
      if (Object.keys(changes).length > 0) await feather.apiKeys.update(key.id, changes);
    },
    {
      success: (_, { key, changes }) => t`${changes.name ?? key.name} is saved`,
      invalidates: KEY_QUERY_KEYS,
      onSuccess: () => setEditing(null),
    },
  );
  const rotation = useAction(
    ({ key, grace_s }: { key: ApiKey; grace_s: number }, options) =>
      feather.apiKeys.rotate(key.id, { grace_s }, options),
    {
      invalidates: KEY_QUERY_KEYS,
      onSuccess({ secret }, { key }) {
        setRotating(null);
        setCreated({ name: key.name, secret, scopes: key.scopes, allowedModels: key.allowed_models });
      },
    },
  );

  const readOnlyReason = user && getKeysReadOnlyReason(user);
  const reason = readOnlyReason ?? (user && data ? getKeyLimitMessage(user, data.pagination.total_items) : null);
  const newKeyButton = (
    <NewKeyButton reasonId={reason === null ? undefined : reasonId} onPress={() => setCreating(true)} />
  );
  return (
    <>
      <div className="row between wrapping">
        <h1 className="h2">{t`API Keys`}</h1>
        {data && data.items.length > 0 ? newKeyButton : null}
      </div>
      <p className={`muted ${styles.intro}`}>
        {t`A key lets a program call models as you. It is shown once; we keep only its fingerprint.`}
      </p>
      {reason === null ? null : (
        <p id={reasonId} className={`notice quiet ${styles.reason}`}>
          {reason}
        </p>
      )}
      {error && !data ? (
        <LoadError subject={t`The keys`} error={error} retry={() => void refetch()} />
      ) : data === undefined || !user ? (
        <Skeleton height={120} />
      ) : data.items.length === 0 ? (
        <EmptyState title={t`No keys yet`} action={newKeyButton}>
          <Trans>
            Make one to call models from a program. In the terminal the same is{" "}
            <code className="mono">feather keys create laptop</code>.
          </Trans>
        </EmptyState>
      ) : (
        <>
          <KeyTable
            keys={data.items}
            user={user}
            usage={usage}
            actions={{ ...actions, edit: setEditing, rotate: setRotating }}
            readOnlyReasonId={readOnlyReason === null ? null : reasonId}
          />
          {data.pagination.total_pages > 1 ? (
            <Pager {...data.pagination} label={t`API Keys`} goToPage={setPage} />
          ) : null}
        </>
      )}
      {user ? (
        <>
          <NewKeyDialog
            open={isCreating && reason === null}
            user={user}
            close={() => setCreating(false)}
            create={creation.submit}
          />
          <EditKeyDialog
            apiKey={editing}
            user={user}
            close={() => setEditing(null)}
            update={(key, changes) => change.submit({ key, changes })}
          />
        </>
      ) : null}
      <RotateKeyDialog
        apiKey={rotating}
        close={() => setRotating(null)}
        rotate={(key, grace_s) => rotation.submit({ key, grace_s })}
      />
      <KeySecretDialog created={created} close={() => setCreated(null)} />
    </>
  );
}

/** Whether the form of a new key is open. The query parameter `new` opens it, and is removed from the URL. */
function useNewKeyParameter(): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  const [params, setParams] = useSearchParams();
  const isRequested = params.has("new");
  useEffect(() => {
    if (!isRequested) return;
    setOpen(true);
    setParams({}, { replace: true });
  }, [isRequested, setParams]);
  return [isOpen, setOpen];
}

/** Returns the actions on a key that need no form. They tell their outcome in a toast. */
function useKeyActions(): Pick<KeyActions, "setDisabled" | "remove"> {
  const confirm = useConfirm();
  const switching = useAction(
    ({ key, disabled }: { key: ApiKey; disabled: boolean }) => feather.apiKeys.update(key.id, { disabled }),
    {
      success: (_, { key, disabled }) => (disabled ? t`${key.name} is off` : t`${key.name} is on`),
      undo:
        (run, { key, disabled }) =>
        () =>
          run({ key, disabled: !disabled }),
      invalidates: KEY_QUERY_KEYS,
    },
  );
  const removal = useAction((key: ApiKey) => feather.apiKeys.delete(key.id), {
    success: (_, key) => t`${key.name} is deleted`,
    invalidates: KEY_QUERY_KEYS,
  });

  const remove = (key: ApiKey) =>
    confirm({
      title: t`Delete “${key.name}”`,
      description: t`Programs that use this key stop working at once. This cannot be undone.`,
      confirmButtonText: t`Delete ${key.name}`,
      destructive: true,
      action: async () => {
        await removal.run(key);
      },
    });

  return { setDisabled: (key, disabled) => void switching.run({ key, disabled }), remove };
}

/** The button that opens the form; disabled if an element, whose id is given, says why no key can be made. */
function NewKeyButton({ reasonId, onPress }: { reasonId: string | undefined; onPress(): void }) {
  return (
    <button
      type="button"
      className="btn primary"
      disabled={reasonId !== undefined}
      aria-describedby={reasonId}
      onClick={onPress}
    >
      {t`New key`}
    </button>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<unknown> =>
  Promise.all([client.prefetchQuery(keysQuery), client.prefetchQuery(keyUsageQuery)]);
