import type { ApiKey, ApiKeyList, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { BulkButton } from "#/components/list/bulk/bulk-button.tsx";
import { BulkResults } from "#/components/list/bulk/bulk-results.tsx";
import { useSelection } from "#/components/list/bulk/selection.ts";
import { ExportButton } from "#/components/list/export-button.tsx";
import { List } from "#/components/list/list.tsx";
import { type ListState, useListState } from "#/components/list/use-list-state.ts";
import { keyListQuery } from "#/entities/api-keys/queries.ts";
import { useKeyUsage } from "#/entities/api-keys/use-key-usage.ts";
import { feather } from "#/lib/feather.ts";
import { createKeyColumns } from "./key-columns.tsx";
import { KEY_FILE_COLUMNS } from "./key-file-columns.ts";
import { KEY_FILTERS, toKeysQuery } from "./key-filters.ts";
import type { KeyActions } from "./key-menu.tsx";
import { useKeyBulk } from "./use-key-bulk.ts";

type Props = {
  user: User;
  actions: KeyActions;
  /** The id of the text that says why keys cannot be changed; null when they can. */
  readOnlyReasonId: string | null;
  newKeyButton: ReactNode;
};

/** The organization's API keys: searched, filtered, sorted, as a file, and several switched off or deleted at once. */
export function KeyList({ user, actions, readOnlyReasonId, newKeyButton }: Props) {
  const list = useListState(KEY_FILTERS);
  const keys = useQuery(keyListQuery(toKeysQuery(list)));
  const usage = useKeyUsage();
  useReturnFromEmptyPage(list, keys.data);
  const selection = useSelection();
  const bulk = useKeyBulk(selection);
  const names = useNames(keys.data?.items);
  return (
    <List
      title={t`API Keys`}
      name="keys"
      isCards
      list={list}
      query={keys}
      columns={createKeyColumns({
        user,
        usage,
        actions,
        readOnlyReasonId,
      })}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      tools={
        <ExportButton
          label={t`Export keys as CSV`}
          file="keys.csv"
          total={keys.data?.pagination.total_items ?? 0}
          rows={() => feather.apiKeys.list({ ...toKeysQuery(list), page: 1, perPage: 100 })}
          idOf={({ id }) => id}
          columns={KEY_FILE_COLUMNS}
        />
      }
      {...(readOnlyReasonId === null && { selection })}
      selectionActions={
        <>
          <BulkButton label={t`Switch off`} ids={selection.ids} bulkAction={bulk.switching} />
          <BulkButton label={t`Delete`} ids={selection.ids} bulkAction={bulk.removal} />
        </>
      }
      empty={{
        title: t`No keys yet`,
        text: (
          <Trans>
            Make one to call models from a program. In the terminal the same is{" "}
            <code className="mono">feather keys create laptop</code>.
          </Trans>
        ),
        action: newKeyButton,
      }}
    >
      <KeyResults title={t`Switch off`} doneLabel={t`is off`} bulk={bulk.switching} names={names} />
      <KeyResults title={t`Delete`} doneLabel={t`is deleted`} bulk={bulk.removal} names={names} />
    </List>
  );
}

/** What a bulk action did with each key; nothing before it has run. */
function KeyResults({
  title,
  doneLabel,
  bulk: { results, clearResults },
  names,
}: {
  title: string;
  doneLabel: string;
  bulk: Pick<ReturnType<typeof useKeyBulk>["switching"], "results" | "clearResults">;
  names: ReadonlyMap<string, string>;
}) {
  return results ? (
    <BulkResults
      title={title}
      doneLabel={doneLabel}
      results={results}
      nameOf={(id) => names.get(id) ?? id}
      close={clearResults}
    />
  ) : null;
}

/** Goes to the page before when the last key of the last page was deleted. */
function useReturnFromEmptyPage({ page, goToPage }: ListState, data: ApiKeyList | undefined): void {
  const isPastEnd = page > 1 && data?.items.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    if (isPastEnd) goToPage(page - 1);
  }, [isPastEnd, page]);
}

/** The names of all keys that were listed, by id: also of those on other pages, and of deleted ones. */
function useNames(keys: readonly ApiKey[] | undefined): ReadonlyMap<string, string> {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const isNew = keys?.some(({ id, name }) => names.get(id) !== name) ?? false;
  if (isNew) setNames(new Map([...names, ...(keys ?? []).map(({ id, name }) => [id, name] as const)]));
  return names;
}
