import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { countStates, type DeploymentFilters } from "./list-filters.ts";
import type { Deployment, Provider } from "./queries.ts";
import { SearchInput } from "./search-input.tsx";
import { describeState } from "./states.ts";

type Props = {
  filters: DeploymentFilters;
  onChange(change: DeploymentFilters): void;
  deployments: readonly Deployment[];
  providers: readonly Provider[];
};

/** Search, state and provider filters of the deployments list; they are stored in the URL. */
export function DeploymentFilterBar({ filters, onChange, deployments, providers }: Props) {
  const states = countStates(deployments);
  return (
    <search className="toolbar">
      <SearchInput
        label={t`Search deployments`}
        placeholder={t`Name or model`}
        value={filters.search ?? ""}
        onSearch={(search) => onChange({ search })}
      />
      <select
        className="btn"
        aria-label={t`State`}
        value={filters.state ?? ""}
        onChange={(event) => onChange({ state: event.target.value })}
      >
        <option value="">
          <Trans>All states ({deployments.length})</Trans>
        </option>
        {states.map(({ state, count }) => (
          <option key={state} value={state}>
            {describeState(state).label} ({count})
          </option>
        ))}
        {filters.state && !states.some(({ state }) => state === filters.state) ? (
          <option value={filters.state}>{describeState(filters.state).label} (0)</option>
        ) : null}
      </select>
      {providers.length > 1 ? (
        <select
          className="btn"
          aria-label={t`Provider`}
          value={filters.provider ?? ""}
          onChange={(event) => onChange({ provider: event.target.value })}
        >
          <option value="">{t`All providers`}</option>
          {providers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      ) : null}
    </search>
  );
}
