import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { Panel } from "#/components/ui/lists/panel.tsx";
import { PanelList } from "#/components/ui/lists/panel-list.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { paths } from "#/config/paths.ts";
import { concurrencyQuery } from "#/entities/session/concurrency.ts";
import styles from "./dashboard.module.css";

const MAX_REQUESTS = 4;
const UNITS_WITHOUT_LIMIT = 4;

/** The units that are in use now, and what runs on them. */
export function UnitsPanel() {
  const query = useQuery(concurrencyQuery);
  return (
    <Panel title={t`Units in use`} more={{ label: t`Usage`, to: paths.usage }}>
      <Loaded subject={t`The units in use`} query={query}>
        {({ used_cost: used, limit, requests }) => (
          <>
            <p className={`${styles.figure} num`}>
              {limit === null ? t`${used} now, without a limit` : t`${used} of ${limit}`}
              <Barbs active={used} total={limit ?? Math.max(used, UNITS_WITHOUT_LIMIT)} label="" />
            </p>
            {requests.length === 0 ? (
              <p className="muted">{t`Nothing is running. What you call holds its units while it runs.`}</p>
            ) : (
              <PanelList>
                {requests.slice(0, MAX_REQUESTS).map(({ id, model, cost }) => (
                  <li key={id}>
                    <ModelId id={model} />
                    <span className="faint small num">{plural(cost, { one: "# unit", other: "# units" })}</span>
                  </li>
                ))}
              </PanelList>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
