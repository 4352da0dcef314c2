import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { LoadError } from "#/components/ui/error-notice.tsx";
import { EmptyState, Skeleton } from "#/components/ui/primitives.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { KeyNameDialog } from "#/features/api-keys/key-name-dialog.tsx";
import { getKeyLimitMessage, getKeysReadOnlyReason } from "#/features/api-keys/key-permissions.ts";
import { KeySecretDialog } from "#/features/api-keys/key-secret-dialog.tsx";
import { KeyTable } from "#/features/api-keys/key-table.tsx";
import { NewKeyDialog } from "#/features/api-keys/new-key-dialog.tsx";
import { type ApiKey, keysQuery } from "#/features/api-keys/queries.ts";
import type { KeyScope } from "#/features/api-keys/scopes.ts";
import { useUser } from "#/features/auth/user.ts";
import { describeError } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";

/** The API keys of the user: list, create, rename, rotate, switch off and delete. `?new` opens the form. */
export default function ApiKeysPage() {
  const client = useQueryClient();
  const toast = useToast();
  const confirm = useConfirm();
  const reasonId = useId();
  const { user } = useUser();
  const { data, error, refetch } = useQuery(keysQuery);
  const [isCreating, setCreating] = useState(false);
  const [renaming, setRenaming] = useState<ApiKey | null>(null);
  const [created, setCreated] = useState<{ name: string; secret: string } | null>(null);
  const [params, setParams] = useSearchParams();
  const requested = params.has("new");
  useEffect(() => {
    if (!requested) return;
    setCreating(true);
    setParams({}, { replace: true });
  }, [requested, setParams]);
  const refresh = () => client.invalidateQueries({ queryKey: keysQuery.queryKey });

  async function create(requested: { name: string; scopes: KeyScope[] }): Promise<void> {
    const key = await feather.apiKeys.create(requested);
    setCreating(false);
    setCreated({ name: key.name, secret: key.secret });
    await refresh();
  }

  async function rename(name: string): Promise<void> {
    if (!renaming) return;
    await feather.apiKeys.update(renaming.id, { name });
    setRenaming(null);
    toast({ title: t`Renamed` });
    await refresh();
  }

  async function setDisabled(key: ApiKey, disabled: boolean): Promise<void> {
    try {
      await feather.apiKeys.update(key.id, { disabled });
      toast({
        title: disabled ? t`${key.name} is off` : t`${key.name} is on`,
        action: { label: t`Undo`, run: () => void setDisabled(key, !disabled) },
      });
    } catch (error) {
      toast({ title: describeError(error).message, variant: "destructive" });
    }
    await refresh();
  }

  function remove(key: ApiKey): void {
    confirm({
      title: t`Delete “${key.name}”`,
      description: t`Programs that use this key stop working at once. This cannot be undone.`,
      confirmButtonText: t`Delete ${key.name}`,
      destructive: true,
      action: async () => {
        await feather.apiKeys.delete(key.id);
        toast({ title: t`${key.name} is deleted` });
        await refresh();
      },
    });
  }

  function rotate(key: ApiKey): void {
    confirm({
      title: t`Replace the secret of “${key.name}”`,
      description: t`The new secret is shown once. The one before goes on for a day, so that programs can be given the new one.`,
      confirmButtonText: t`Replace it`,
      action: async () => {
        try {
          const { name, secret } = await feather.apiKeys.rotate(key.id);
          setCreated({ name, secret });
        } catch (error) {
          toast({ title: describeError(error).message, variant: "destructive" });
        }
        await refresh();
      },
    });
  }

  const barrier = user && getKeysReadOnlyReason(user);
  const reason = barrier ?? (user && data ? getKeyLimitMessage(user, data.pagination.total_items) : null);
  const newKey = (
    <button
      type="button"
      className="btn primary"
      disabled={reason !== null}
      aria-describedby={reason === null ? undefined : reasonId}
      onClick={() => setCreating(true)}
    >
      {t`New key`}
    </button>
  );
  return (
    <>
      <div className="row between wraps">
        <h1 className="h2">{t`API Keys`}</h1>
        {data && data.items.length > 0 ? newKey : null}
      </div>
      <p className="mid mt-2 mb-5" style={{ maxWidth: "56ch" }}>
        {t`A key lets a program call models as you. It is shown once; we keep only its fingerprint.`}
      </p>
      {reason === null ? null : (
        <p id={reasonId} className="notice quiet mb-5">
          {reason}
        </p>
      )}
      {error && !data ? (
        <LoadError subject={t`The keys`} error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={120} />
      ) : data.items.length === 0 ? (
        <EmptyState title={t`No keys yet`} action={newKey}>
          <Trans>
            Make one to call models from a program. In the terminal the same is{" "}
            <code className="mono">feather keys create laptop</code>.
          </Trans>
        </EmptyState>
      ) : (
        <KeyTable
          keys={data.items}
          isReadOnly={barrier !== null}
          rotate={rotate}
          rename={setRenaming}
          setDisabled={(key, disabled) => void setDisabled(key, disabled)}
          remove={remove}
        />
      )}
      <NewKeyDialog open={isCreating && reason === null} close={() => setCreating(false)} create={create} />
      <KeyNameDialog
        open={renaming !== null}
        title={t`Rename key`}
        submitLabel={t`Rename`}
        initial={renaming?.name ?? ""}
        close={() => setRenaming(null)}
        save={rename}
      />
      <KeySecretDialog created={created} close={() => setCreated(null)} />
    </>
  );
}
