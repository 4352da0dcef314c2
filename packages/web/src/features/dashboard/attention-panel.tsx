import type { AttentionItem, AttentionList } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Link } from "react-router-dom";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { PanelList } from "#/components/ui/lists/panel-list.tsx";
import { formatRelativeTime } from "#/lib/format.ts";
import { describeItem, findPage } from "./attention-items.ts";
import styles from "./dashboard.module.css";

const SHOWN = 5;
const TIERS = { error: "bad", warning: "loading", info: "offline" } as const;

/** What fails, ends soon or waits for an answer, with links to where something can be done; nothing where nothing does. */
export function AttentionPanel({ query }: { query: UseQueryResult<AttentionList> }) {
  const id = useId();
  const [showsAll, setShowsAll] = useState(false);
  if (query.isError && query.data === undefined)
    return <LoadError subject={t`What needs your attention`} error={query.error} retry={() => void query.refetch()} />;
  const items = query.data?.items ?? [];
  if (items.length === 0) return null;
  const hidden = items.length - SHOWN;
  return (
    <section className={styles.attention} aria-labelledby={id}>
      <h2 className="h4" id={id}>
        {t`Needs your attention`}
      </h2>
      <PanelList>
        {(showsAll ? items : items.slice(0, SHOWN)).map((item) => (
          <li key={`${item.kind} ${item.subject_id ?? item.subject ?? ""}`}>
            <StateBadge tier={TIERS[item.severity]}>
              <Link className={styles.item} to={findPage(item)}>
                <bdi>{describeItem(item)}</bdi>
              </Link>
            </StateBadge>
            <span className="faint small">{describeTime(item)}</span>
          </li>
        ))}
      </PanelList>
      {hidden > 0 && !showsAll ? (
        <button type="button" className="link small" onClick={() => setShowsAll(true)}>
          {plural(hidden, { one: "Show # more", other: "Show # more" })}
        </button>
      ) : null}
    </section>
  );
}

const describeTime = ({ happens_at: at }: AttentionItem): string => (at === null ? "" : formatRelativeTime(at));
