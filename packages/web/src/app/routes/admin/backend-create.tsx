import type { Backend } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import styles from "#/features/admin/admin.module.css";
import { BackendDialog } from "#/features/admin/backends/backend-dialog.tsx";
import { ProviderFacts } from "#/features/admin/backends/providers/provider-facts.tsx";
import { ProviderForm } from "#/features/admin/backends/providers/provider-form.tsx";
import { ProviderGrid } from "#/features/admin/backends/providers/provider-grid.tsx";
import { providersQuery } from "#/features/admin/backends/providers/queries.ts";
import { backendsQuery } from "#/features/admin/backends/queries.ts";
import { adminPaths } from "#/features/admin/paths.ts";

/** Adds a backend: a choice of providers, then the form of the chosen one (`?provider=openrouter`). */
export default function AdminCreateBackendPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const providers = useQuery(providersQuery);
  const backends = useQuery(backendsQuery);
  const [isAddingOther, setAddingOther] = useState(false);
  const chosen = providers.data?.items.find(({ id }) => id === params.get("provider"));
  // The list tests it at once, so that a wrong key shows before the first call.
  const showTest = ({ id }: Pick<Backend, "id">) => navigate(adminPaths.backends, { state: { test: id } });

  if (chosen && backends.data)
    return (
      <>
        <PageHeader
          title={t`Add ${chosen.name}`}
          parentPage={{ label: t`All providers`, to: adminPaths.newBackend() }}
        />
        <div className={styles.split}>
          <ProviderForm key={chosen.id} provider={chosen} backends={backends.data.items} onAdded={showTest} />
          <aside aria-label={t`Facts`}>
            <ProviderFacts provider={chosen} />
          </aside>
        </div>
      </>
    );
  return (
    <>
      <PageHeader
        title={t`Add a backend`}
        description={t`Choose who runs the models. A provider needs only a key, another server its address.`}
        parentPage={{ label: t`Backends`, to: adminPaths.backends }}
      />
      {providers.isError || backends.isError ? (
        <LoadError
          subject={t`The list of providers`}
          error={providers.error ?? backends.error}
          retry={() => void Promise.all([providers.refetch(), backends.refetch()])}
        />
      ) : providers.data && backends.data ? (
        <ProviderGrid providers={providers.data.items} addOther={() => setAddingOther(true)} />
      ) : (
        <Skeleton height={640} />
      )}
      {isAddingOther ? <BackendDialog backend={null} close={() => setAddingOther(false)} onAdded={showTest} /> : null}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = async (client: QueryClient): Promise<void> => {
  await Promise.all([client.prefetchQuery(providersQuery), client.prefetchQuery(backendsQuery)]);
};
