import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import styles from "#/features/admin/admin.module.css";
import { PriceForm } from "#/features/admin/models/price-form.tsx";
import { findCurrentPrice, PriceHistory } from "#/features/admin/models/price-history.tsx";
import { modelQuery, pricesQuery } from "#/features/admin/models/queries.ts";
import { adminPaths } from "#/features/admin/paths.ts";
import { usePageTitle } from "#/lib/page-title.ts";

/** The price history of a model, with a form for a new price. */
export default function AdminModelPricePage() {
  const { id = "" } = useParams();
  const model = useQuery(modelQuery(id));
  const own = useQuery(pricesQuery(id, 1));
  const modelClass = model.data?.model_class;
  const ofClass = useQuery({ ...pricesQuery(modelClass ?? "", 1), enabled: modelClass !== undefined });
  usePageTitle(model.data ? t`Admin > Price of ${model.data.id}` : undefined);
  const now = useMemo(() => new Date(), []);
  const prices = own.data?.items;
  const current = findCurrentPrice(prices ?? [], now);
  const inherited = findCurrentPrice(ofClass.data?.items ?? [], now);

  return (
    <>
      <PageHeader
        title={t`Model price`}
        description={
          <Trans>
            What metered plans pay for <ModelId id={id} />. Prices are added, never changed: requests stay charged by
            the price of their time.
          </Trans>
        }
        parentPage={{ label: id, to: adminPaths.model(id) }}
      />
      {own.isError ? (
        <LoadError subject={t`The prices`} error={own.error} retry={() => void own.refetch()} />
      ) : (
        <>
          <h2 className="h4 mb-2">{t`History, in dollars for a million tokens`}</h2>
          {prices?.length === 0 ? (
            <p className="muted">
              {inherited
                ? t`No price of its own. It costs what its class ${modelClass ?? ""} costs.`
                : t`No price of its own. It costs what its class or its size costs, until you add one.`}
            </p>
          ) : (
            <PriceHistory prices={prices} now={now} />
          )}
          <h2 className="h4 mt-8 mb-4">{t`New price`}</h2>
          {/* The form starts with the current price. If it were shown before that is loaded, it would be replaced and lose typed values. */}
          {own.isPending || model.isPending || ofClass.isLoading ? (
            <Skeleton height={320} />
          ) : (
            <PriceForm key={current?.id ?? "none"} model={id} current={current ?? inherited} />
          )}
        </>
      )}
      <div className={`mt-8 ${styles.form}`}>
        <CodeTabs
          samples={[
            {
              name: "curl",
              code: `curl ${location.origin}/api/admin/base-models/${encodeURIComponent(id)}/prices \\\n  -H "authorization: Bearer $FEATHER_API_KEY" \\\n  -H "content-type: application/json" \\\n  -d '{"prompt": "0.0000001", "completion": "0.0000004"}'`,
            },
            {
              name: "TypeScript",
              code: `await feather.admin.prices.create(${JSON.stringify(id)}, {\n  prompt: "0.0000001",\n  completion: "0.0000004",\n});`,
            },
          ]}
        />
      </div>
    </>
  );
}

/** Loads what the page reads first. */
export function prefetch(client: QueryClient, { params: { id = "" } }: PageLocation): Promise<unknown> {
  return Promise.all([client.prefetchQuery(modelQuery(id)), client.prefetchQuery(pricesQuery(id, 1))]);
}
