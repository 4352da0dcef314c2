import type { Backend, BackendAlias, BackendTest } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import { ListPage } from "#/components/list/list-page.tsx";
import type { Column } from "#/components/list/list-table.tsx";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import styles from "#/features/admin/admin.module.css";
import { BackendDialog } from "#/features/admin/backends/backend-dialog.tsx";
import { backendSourceLabel, hasKeys, isEditable } from "#/features/admin/backends/backend-labels.ts";
import { BackendState } from "#/features/admin/backends/backend-state.tsx";
import { BackendKeysDialog } from "#/features/admin/backends/keys/backend-keys-dialog.tsx";
import { RestingKeys } from "#/features/admin/backends/keys/resting-keys.tsx";
import { OwnKeysNote } from "#/features/admin/backends/own-keys-note.tsx";
import { backendsQuery } from "#/features/admin/backends/queries.ts";
import { TestResult } from "#/features/admin/backends/test-result.tsx";
import { UnsizedModels } from "#/features/admin/backends/unsized-models.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { feather } from "#/lib/feather.ts";
import { formatCount } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";

const COLUMNS: Column<Backend>[] = [
  {
    header: t`Backend`,
    className: "stacked",
    cell: (backend) => (
      <>
        <div className="strong user-text">{backend.name}</div>
        <div className="mono small faint user-text">{backend.base_url}</div>
        {backend.last_error ? (
          <div className={`small ${styles.cellNote} muted user-text`}>{backend.last_error}</div>
        ) : null}
        <RestingKeys keys={backend.keys} />
        <OwnKeysNote mode={backend.own_keys} />
        <UnsizedModels ids={backend.unsized_models} />
      </>
    ),
  },
  {
    header: t`Source`,
    cell: (backend) => <span className="small muted">{backendSourceLabel(backend)}</span>,
    hideWhenNarrow: true,
  },
  { header: t`Models`, cell: (backend) => formatCount(backend.models.length), isNumeric: true, hideWhenNarrow: true },
  { header: t`Weight`, cell: (backend) => backend.weight, isNumeric: true, hideWhenNarrow: true },
  { header: t`Running now`, cell: (backend) => formatCount(backend.in_flight), isNumeric: true, hideWhenNarrow: true },
  { header: t`Checked`, cell: (backend) => <RelativeTime date={backend.checked_at} />, hideWhenNarrow: true },
  { header: t`Health`, cell: (backend) => <BackendState backend={backend} /> },
];

/** The inference backends: add, change, test, switch off and delete. */
export default function AdminBackendsPage() {
  const backends = useQuery(backendsQuery);
  const [editing, setEditing] = useState<Backend | null>(null);
  const [keysOf, setKeysOf] = useState<Backend["id"] | null>(null);
  const { testResult, test, clearTestResult, saveAlias, setEnabled, remove } = useBackendActions();
  useTestOfAddedBackend(backends.data?.items, test);
  const keyed = backends.data?.items.find(({ id }) => id === keysOf);
  // The aliases may have changed since the test.
  const tested = backends.data?.items.find(({ id }) => id === testResult?.id);
  const add = (
    <Link className="btn primary" to={adminPaths.newBackend()}>
      {t`Add a backend`}
    </Link>
  );
  const actionsOf = (backend: Backend) => [
    { label: t`Test`, run: () => void test(backend) },
    hasKeys(backend) && { label: t`Keys`, run: () => setKeysOf(backend.id) },
    isEditable(backend) && { label: t`Change`, run: () => setEditing(backend) },
    isEditable(backend) && {
      label: backend.enabled ? t`Switch off` : t`Switch on`,
      run: () => void setEnabled(backend, !backend.enabled),
    },
    isEditable(backend) && { label: t`Delete`, run: () => remove(backend), destructive: true },
  ];
  return (
    <>
      <ListPage
        title={t`Backends`}
        description={t`The addresses that run models. Those of the settings and those found on this machine are changed there; the ones added here, on this page.`}
        action={add}
        query={backends}
        columns={[...COLUMNS, createMenuColumn((backend: Backend) => backend.name, actionsOf)]}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{
          title: t`No backend yet`,
          text: t`Start Ollama or llama.cpp on this machine and it is found by itself, or add a provider or the address of a server elsewhere.`,
          action: add,
        }}
      >
        {testResult && tested ? (
          <TestResult
            backend={tested}
            result={testResult.result}
            saveAlias={({ name }, as) => saveAlias(tested, { name, as })}
            close={clearTestResult}
          />
        ) : null}
      </ListPage>
      <h2 className="h4 mt-8 mb-2">{t`In the settings`}</h2>
      <CodeTabs
        samples={[
          { name: ".env", code: `FEATHER_BACKENDS='[{"name": "gpu-1", "base_url": "https://models.example.com/v1"}]'` },
          {
            name: "curl",
            code: `curl ${location.origin}/api/admin/backends \\\n  -H "authorization: Bearer $FEATHER_API_KEY" \\\n  -H "content-type: application/json" \\\n  -d '{"name": "gpu-1", "base_url": "https://models.example.com/v1"}'`,
          },
        ]}
      />
      {keyed ? <BackendKeysDialog backend={keyed} close={() => setKeysOf(null)} /> : null}
      {editing ? <BackendDialog backend={editing} close={() => setEditing(null)} /> : null}
    </>
  );
}

/** Tests the backend that the page before has added, once, also when the list is loaded later. */
function useTestOfAddedBackend(backends: readonly Backend[] | undefined, test: (backend: Backend) => void): void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const id: unknown = state?.test;
  const tested = useRef<unknown>(null);
  const added = backends?.find((backend) => backend.id === id);
  useEffect(() => {
    if (!added || tested.current === added.id) return;
    tested.current = added.id;
    navigate(".", { replace: true }); // going back to this page does not test it again
    test(added);
  });
}

function useBackendActions() {
  const confirm = useConfirm();
  const [testResult, setTestResult] = useState<{ id: string; result: BackendTest } | null>(null);

  const test = useAction(({ id }: Backend) => feather.admin.backends.test(id), {
    success: (_, { name }) => t`${name} was asked`,
    onSuccess: (result, { id }) => setTestResult({ id, result }),
    invalidates: ADMIN_QUERY_KEYS,
  });
  const naming = useAction(
    async ({ backend: { id, name, base_url, aliases }, alias }: { backend: Backend; alias: BackendAlias }) => {
      const others = aliases.filter((other) => other.name !== alias.name);
      await feather.admin.backends.update(id, { name, base_url, aliases: [...others, alias] });
      return feather.admin.backends.test(id);
    },
    {
      success: (_, { alias: { name, as } }) => t`${name} is called ${as}`,
      onSuccess: (result, { backend: { id } }) => setTestResult({ id, result }),
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  const switching = useAction(
    ({ backend: { id, name, base_url }, enabled }: { backend: Backend; enabled: boolean }) =>
      feather.admin.backends.update(id, { name, base_url, enabled }),
    {
      success: (_, { backend: { name }, enabled }) =>
        enabled ? t`${name} takes requests` : t`${name} takes no more requests`,
      undo:
        (run, { backend, enabled }) =>
        () =>
          run({ backend, enabled: !enabled }),
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  const removal = useAction(({ id }: Backend) => feather.admin.backends.delete(id), {
    success: (_, { name }) => t`${name} is deleted`,
    invalidates: ADMIN_QUERY_KEYS,
  });

  function remove(backend: Backend): void {
    const { name } = backend;
    confirm({
      title: t`Delete ${name}`,
      description: t`Requests that run there end; models that run nowhere else can no longer be called.`,
      confirmButtonText: t`Delete ${name}`,
      destructive: true,
      action: async () => {
        await removal.run(backend);
      },
    });
  }

  return {
    testResult,
    clearTestResult: () => setTestResult(null),
    test(backend: Backend): void {
      setTestResult(null);
      void test.run(backend);
    },
    saveAlias: (backend: Backend, alias: BackendAlias) => naming.submit({ backend, alias }),
    setEnabled: (backend: Backend, enabled: boolean) => void switching.run({ backend, enabled }),
    remove,
  };
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(backendsQuery);
