import type { ApiKey } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Panel } from "#/components/ui/lists/panel.tsx";
import { PanelList } from "#/components/ui/lists/panel-list.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { paths } from "#/config/paths.ts";
import { KeyBudget } from "#/entities/api-keys/key-budget.tsx";
import { keysQuery } from "#/entities/api-keys/queries.ts";
import { type KeyUsage, useKeyUsage } from "#/entities/api-keys/use-key-usage.ts";
import { formatNanoUsd, isZero } from "#/entities/money/money.ts";
import styles from "./dashboard.module.css";

const MAX_KEYS = 5;

/** The keys that were used last, with their use in 30 days and the spent part of their budget. */
export function KeysPanel() {
  const query = useQuery(keysQuery);
  const usage = useKeyUsage();
  return (
    <Panel title={t`API keys`} more={{ label: t`All keys`, to: paths.apiKeys }}>
      <Loaded subject={t`API keys`} query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">
              {t`None yet.`}{" "}
              <Link className="link" to={paths.apiKeys}>
                {t`Make a key`}
              </Link>
            </p>
          ) : (
            <PanelList>
              {items
                .toSorted((a, b) => lastUse(b) - lastUse(a))
                .slice(0, MAX_KEYS)
                .map((key) => (
                  <li key={key.id}>
                    <bdi>{key.name}</bdi>
                    <div className={styles.use}>
                      <span className="faint small num">{describeUsage(usage, key.id)}</span>
                      <KeyBudget apiKey={key} />
                    </div>
                  </li>
                ))}
            </PanelList>
          )
        }
      </Loaded>
    </Panel>
  );
}

const lastUse = ({ last_used_at: at }: ApiKey): number => at?.getTime() ?? 0;

/** Returns what a key was used for in the last 30 days: "12 requests · $0.02"; empty while that is unknown. */
function describeUsage(usage: KeyUsage, id: string): string {
  if (typeof usage === "string") return "";
  const { requests = 0, cost = "0" } = usage.get(id) ?? {};
  const count = plural(requests, { one: "# request", other: "# requests" });
  return isZero(cost) ? count : `${count} · ${formatNanoUsd(cost)}`;
}
