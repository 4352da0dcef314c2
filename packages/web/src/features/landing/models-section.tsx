import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { ModelTable } from "#/entities/models/model-table.tsx";
import { type ModelFilters, modelsQuery } from "#/entities/models/queries.ts";
import { PageSection } from "./page-section.tsx";

type Props = { title: string; intro?: ReactNode; filters: ModelFilters; all: string; empty: string };

/** A section with the models that match a filter. */
export function ModelsSection({ title, intro, filters, all, empty }: Props) {
  const { data, isError, refetch } = useQuery(modelsQuery(filters));
  return (
    <PageSection
      title={title}
      intro={intro}
      action={
        <Link className="link" to={all}>
          {data && data.pagination.total_items > data.items.length
            ? t`All ${data.pagination.total_items}`
            : t`Open in the catalogue`}
        </Link>
      }
    >
      {isError ? (
        <div className="notice" role="alert">
          <p>{t`The catalogue cannot be read just now.`}</p>
          <button type="button" className="btn mt-3" onClick={() => void refetch()}>
            {t`Try again`}
          </button>
        </div>
      ) : data?.items.length === 0 ? (
        <EmptyState title={t`None yet`}>{empty}</EmptyState>
      ) : (
        <ModelTable models={data?.items} detailed={false} />
      )}
    </PageSection>
  );
}
