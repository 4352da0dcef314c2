import type { Deployment, DeploymentProvider } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Select } from "#/components/ui/controls/select.tsx";
import { Toolbar } from "#/components/ui/lists/toolbar.tsx";
import { SearchInput } from "../search-input.tsx";
import { describeState } from "../states.ts";
import { countStates, type DeploymentFilters } from "./list-filters.ts";

type Props = {
  filters: DeploymentFilters;
  onChange(change: DeploymentFilters): void;
  deployments: readonly Deployment[];
  providers: readonly DeploymentProvider[];
};

/** Search, state and provider filters of the deployments list; they are stored in the URL. */
export function DeploymentFilterBar({ filters, onChange, deployments, providers }: Props) {
  const states = countStates(deployments);
  const isListed = !filters.state || states.some(({ state }) => state === filters.state);
  const listed = isListed ? states : [...states, { state: filters.state ?? "", count: 0 }];
  return (
    <search>
      <Toolbar>
        <SearchInput
          label={t`Search deployments`}
          placeholder={t`Name or model`}
          value={filters.search ?? ""}
          onSearch={(search) => onChange({ search })}
        />
        <Select
          look="button"
          aria-label={t`State`}
          value={filters.state ?? ""}
          options={[
            { value: "", label: t`All states (${deployments.length})` },
            ...listed.map(({ state, count }) => ({ value: state, label: `${describeState(state).label} (${count})` })),
          ]}
          onChange={(state) => onChange({ state })}
        />
        {providers.length > 1 ? (
          <Select
            look="button"
            aria-label={t`Provider`}
            value={filters.provider ?? ""}
            options={[
              { value: "", label: t`All providers` },
              ...providers.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(provider) => onChange({ provider })}
          />
        ) : null}
      </Toolbar>
    </search>
  );
}
