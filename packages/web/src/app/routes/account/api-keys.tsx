import type { ApiKey, ApiKeyCreate, ApiKeyUpdate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { PageLocation } from "#/app/page-module.ts";
import { readList } from "#/components/list/list-params.ts";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { keyCountQuery, keyListQuery, keyUsageQuery } from "#/entities/api-keys/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { EditKeyDialog } from "#/features/api-keys/edit-key-dialog.tsx";
import { KEY_FILTERS, toKeysQuery } from "#/features/api-keys/key-filters.ts";
import { KeyList } from "#/features/api-keys/key-list.tsx";
import type { KeyActions } from "#/features/api-keys/key-menu.tsx";
import { getKeyLimitMessage, getKeysReadOnlyReason } from "#/features/api-keys/key-permissions.ts";
import { KeySecretDialog, type NewSecret } from "#/features/api-keys/key-secret-dialog.tsx";
import { NewKeyDialog } from "#/features/api-keys/new-key-dialog.tsx";
import { RotateKeyDialog } from "#/features/api-keys/rotate-key-dialog.tsx";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { useOpenedByParameter } from "#/lib/use-opened-by-parameter.ts";
import styles from "./api-keys.module.css";

const KEY_QUERY_KEYS = [queries.apiKeys.key()];

/** The API keys of the organization: list, create, edit, rotate, switch off and delete. `?new` opens the form. */
export default function ApiKeysPage() {
  const reasonId = useId();
  const { user } = useUser();
  const total = useQuery(keyCountQuery).data?.pagination.total_items;
  const [isCreating, setCreating] = useOpenedByParameter("new");
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
  const reason = readOnlyReason ?? (user && total !== undefined ? getKeyLimitMessage(user, total) : null);
  const newKeyButton = (
    <NewKeyButton reasonId={reason === null ? undefined : reasonId} onPress={() => setCreating(true)} />
  );
  return (
    <>
      <div className="row between wrapping">
        <h1 className="h2">{t`API Keys`}</h1>
        {total ? newKeyButton : null}
      </div>
      <p className={`muted ${styles.intro}`}>
        {t`A key lets a program call models as you. It is shown once; we keep only its fingerprint.`}
      </p>
      {reason === null ? null : (
        <p id={reasonId} className={`notice quiet ${styles.reason}`}>
          {reason}
        </p>
      )}
      {user ? (
        <KeyList
          user={user}
          actions={{ ...actions, edit: setEditing, rotate: setRotating }}
          readOnlyReasonId={readOnlyReason === null ? null : reasonId}
          newKeyButton={newKeyButton}
        />
      ) : (
        <Skeleton height={120} />
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
export const prefetch = (client: QueryClient, { search }: PageLocation): Promise<unknown> =>
  Promise.all([
    client.prefetchQuery(keyListQuery(toKeysQuery(readList(search, KEY_FILTERS)))),
    client.prefetchQuery(keyCountQuery),
    client.prefetchQuery(keyUsageQuery),
  ]);
