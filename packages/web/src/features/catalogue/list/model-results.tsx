import type { Model } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { ModelTable } from "#/entities/models/model-table.tsx";
import { formatCount } from "#/lib/format.ts";

type Page = {
  items: readonly Model[];
  pagination: { current_page: number; total_items: number; total_pages: number };
};

type Props = {
  page: Page | undefined;
  failed: boolean;
  stale: boolean;
  rows: number;
  /** Whether "Saved" is the only filter. */
  isSavedOnly: boolean;
  retry(): void;
  goToFirstPage(): void;
  clear(): void;
  renderActions(model: Model): ReactNode;
};

/** The models that match the filters, or an explanation why there are none. */
export function ModelResults({
  page,
  failed,
  stale,
  rows,
  isSavedOnly,
  retry,
  goToFirstPage,
  clear,
  renderActions,
}: Props) {
  if (failed)
    return (
      <EmptyState
        title={t`The catalogue cannot be read just now`}
        action={<ActionButton label={t`Try again`} run={retry} />}
      >
        {t`The server did not answer. What you have chosen stays in the address of this page.`}
      </EmptyState>
    );
  if (page && page.items.length === 0 && page.pagination.total_items > 0)
    return (
      <EmptyState
        title={t`There is no page ${formatCount(page.pagination.current_page)}`}
        action={<ActionButton label={t`To the first page`} run={goToFirstPage} />}
      >
        <Trans>
          <Plural value={page.pagination.total_items} one="# model fits" other="# models fit" />, on{" "}
          <Plural value={page.pagination.total_pages} one="# page" other="# pages" />.
        </Trans>
      </EmptyState>
    );
  if (page?.items.length === 0 && isSavedOnly)
    return (
      <EmptyState
        title={t`You have saved no model yet`}
        action={<ActionButton label={t`Show all models`} run={clear} />}
      >
        {t`Press the star beside a model, here or on its page, and it stands here, for you alone.`}
      </EmptyState>
    );
  if (page?.items.length === 0)
    return (
      <EmptyState title={t`No model matches`} action={<ActionButton label={t`Show all models`} run={clear} />}>
        {t`Nothing in the catalogue fits all of this. Take a filter away, or search for part of a name.`}
      </EmptyState>
    );
  return <ModelTable models={page?.items} stale={stale} rows={rows} renderActions={renderActions} />;
}

function ActionButton({ label, run }: { label: string; run(): void }) {
  return (
    <button type="button" className="btn" onClick={run}>
      {label}
    </button>
  );
}

/** Returns the number of models as text for screen readers. */
export const formatModelCount = (total: number): string => plural(total, { one: "# model", other: "# models" });
