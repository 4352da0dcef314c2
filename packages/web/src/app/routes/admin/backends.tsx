import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CodeTabs } from "#/components/ui/code.tsx";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { BackendDialog } from "#/features/admin/backends/backend-dialog.tsx";
import { BackendState } from "#/features/admin/backends/backend-state.tsx";
import { isOurs, sourceOf } from "#/features/admin/backends/backend-words.ts";
import { type Backend, type BackendTest, backendsQuery } from "#/features/admin/backends/queries.ts";
import { TestResult } from "#/features/admin/backends/test-result.tsx";
import { Moment } from "#/features/admin/cells.tsx";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import type { Column } from "#/features/admin/list/list-table.tsx";
import { menuColumn } from "#/features/admin/row-menu.tsx";
import { useAct } from "#/features/admin/use-act.ts";
import { feather } from "#/lib/feather.ts";
import { count } from "#/lib/format.ts";

const COLUMNS: Column<Backend>[] = [
  {
    head: t`Backend`,
    cell: (backend) => (
      <>
        <div className="strong stranger">{backend.name}</div>
        <div className="mono small dim stranger">{backend.base_url}</div>
        {backend.last_error ? <div className="small cell-note mid stranger">{backend.last_error}</div> : null}
      </>
    ),
  },
  { head: t`From`, cell: (backend) => <span className="small mid">{sourceOf(backend)}</span>, wide: true },
  { head: t`Models`, cell: (backend) => count(backend.models.length), figure: true, wide: true },
  { head: t`Weight`, cell: (backend) => backend.weight, figure: true, wide: true },
  { head: t`Running now`, cell: (backend) => count(backend.in_flight), figure: true, wide: true },
  { head: t`Checked`, cell: (backend) => <Moment date={backend.checked_at} />, wide: true },
  { head: t`Health`, cell: (backend) => <BackendState backend={backend} /> },
];

/** The inference backends: add, change, test, switch off and delete. */
export default function AdminBackendsPage() {
  const backends = useQuery(backendsQuery);
  const [editing, setEditing] = useState<Backend | "new" | null>(null);
  const { tested, test, forget, setEnabled, remove } = useBackendActions();
  const add = (
    <button type="button" className="btn primary" onClick={() => setEditing("new")}>
      {t`Add a backend`}
    </button>
  );
  const actionsOf = (backend: Backend) => [
    { label: t`Test`, run: () => void test(backend) },
    isOurs(backend) && { label: t`Change`, run: () => setEditing(backend) },
    isOurs(backend) && {
      label: backend.enabled ? t`Switch off` : t`Switch on`,
      run: () => void setEnabled(backend, !backend.enabled),
    },
    isOurs(backend) && { label: t`Delete`, run: () => remove(backend), destructive: true },
  ];
  return (
    <>
      <ListPage
        title={t`Backends`}
        about={t`The addresses that run models. Those of the settings and those found on this machine are changed there; the ones added here, on this page.`}
        action={add}
        query={backends}
        columns={[...COLUMNS, menuColumn((backend: Backend) => backend.name, actionsOf)]}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{
          title: t`No backend yet`,
          text: t`Start Ollama or llama.cpp on this machine and it is found by itself, or add the address of one elsewhere.`,
          action: add,
        }}
      >
        {tested ? <TestResult {...tested} close={forget} /> : null}
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
      {editing ? <BackendDialog backend={editing === "new" ? null : editing} close={() => setEditing(null)} /> : null}
    </>
  );
}

function useBackendActions() {
  const act = useAct();
  const confirm = useConfirm();
  const [tested, setTested] = useState<{ name: string; result: BackendTest } | null>(null);

  async function test({ id, name }: Backend): Promise<void> {
    setTested(null);
    await act(async () => setTested({ name, result: await feather.admin.backends.test(id) }), {
      title: t`${name} was asked`,
    });
  }

  async function setEnabled(backend: Backend, enabled: boolean): Promise<void> {
    const { id, name, base_url } = backend;
    await act(() => feather.admin.backends.update(id, { name, base_url, enabled }), {
      title: enabled ? t`${name} takes requests` : t`${name} takes no more requests`,
      undo: () => void setEnabled(backend, !enabled),
    });
  }

  function remove({ id, name }: Backend): void {
    confirm({
      title: t`Delete ${name}`,
      description: t`Requests that run there end; models that run nowhere else can no longer be called.`,
      confirmButtonText: t`Delete ${name}`,
      destructive: true,
      action: async () => {
        await act(() => feather.admin.backends.delete(id), { title: t`${name} is deleted` });
      },
    });
  }

  return { tested, test, forget: () => setTested(null), setEnabled, remove };
}
