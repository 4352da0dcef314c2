import { plural, t } from "@lingui/core/macro";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Select } from "#/components/ui/controls/select.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { downloadText } from "#/lib/browser/download-text.ts";
import { formatClock } from "#/lib/format.ts";
import { SearchInput } from "../search-input.tsx";
import { filterLines, type LogLine, toLogText } from "./log-lines.ts";
import styles from "./log-view.module.css";
import { type LogConnection, useDeploymentLog } from "./use-deployment-log.ts";

type Props = {
  deployment: { id: string; name: string };
  filter: { search: string; replica: string };
  setFilter(filter: { search?: string; replica?: string }): void;
};

const CONNECTION_LABELS: Record<LogConnection, { tier: string; label: string }> = {
  connecting: { tier: "loading", label: t`connecting` },
  live: { tier: "good", label: t`live` },
  broken: { tier: "loading", label: t`connecting again` },
  ended: { tier: "offline", label: t`ended` },
  hidden: { tier: "cold", label: t`resting` },
};

/** The live log of a deployment: it can be followed, paused, filtered and saved. */
export function LogView({ deployment, filter, setFilter }: Props) {
  const { log, connection, pause, resume, reconnect } = useDeploymentLog(deployment.id);
  const [follow, setFollow] = useState(true);
  const lines = filterLines(log.lines, filter.search, filter.replica);
  const replicas = [...new Set(log.lines.map(({ replica }) => replica))].sort();
  const { tier, label } = log.paused ? { tier: "cold", label: t`paused` } : CONNECTION_LABELS[connection];
  return (
    <section aria-labelledby="log">
      <div className="row between wrapping">
        <h2 className="h4" id="log">
          {t`Log`}
        </h2>
        <span className="small muted" role="status">
          <StateBadge tier={tier}>{label}</StateBadge>
        </span>
      </div>
      <div className={`${styles.logBar} mt-3`}>
        <SearchInput
          label={t`Filter the log`}
          placeholder={t`Filter lines`}
          value={filter.search}
          onSearch={(search) => setFilter({ search })}
        />
        {replicas.length > 1 || filter.replica !== "" ? (
          <Select
            look="button"
            aria-label={t`Replica`}
            value={filter.replica}
            options={[
              { value: "", label: t`All replicas` },
              ...[...new Set([...replicas, ...(filter.replica === "" ? [] : [filter.replica])])].map((replica) => ({
                value: replica,
                label: t`Replica ${replica}`,
              })),
            ]}
            onChange={(replica) => setFilter({ replica })}
          />
        ) : null}
        <button type="button" className="btn" aria-pressed={follow} onClick={() => setFollow(!follow)}>
          {follow ? t`Following` : t`Follow`}
        </button>
        {log.paused ? (
          <button type="button" className="btn" onClick={resume}>
            {log.pendingLines.length > 0 ? t`Go on (${log.pendingLines.length} new)` : t`Go on`}
          </button>
        ) : (
          <button type="button" className="btn" onClick={pause}>
            {t`Pause log`}
          </button>
        )}
        <button
          type="button"
          className="btn"
          disabled={lines.length === 0}
          onClick={() => downloadText(`${deployment.name}.log`, "text/plain", toLogText(lines))}
        >
          {t`Save`}
        </button>
      </div>
      <LogLines lines={lines} follow={follow} setFollow={setFollow}>
        {connection === "ended" ? (
          <>
            {t`The log has ended, or may not be read.`}{" "}
            <button type="button" className="link" onClick={reconnect}>
              {t`Try again`}
            </button>
          </>
        ) : log.lines.length > 0 ? (
          plural(log.lines.length, { one: "The one line does not have this.", other: "None of # lines has this." })
        ) : connection === "live" ? (
          t`Nothing yet. Lines of its replicas come as they are written.`
        ) : (
          t`Waiting for the first lines.`
        )}
      </LogLines>
      <p className={`small faint mt-2 ${styles.command}`}>
        <code className="mono">{`feather deployments logs ${deployment.name} --follow`}</code>
      </p>
    </section>
  );
}

type LogLinesProps = {
  lines: readonly LogLine[];
  follow: boolean;
  setFollow(follow: boolean): void;
  /** Shown while there are no lines. */
  children: ReactNode;
};

function LogLines({ lines, follow, setFollow, children }: LogLinesProps) {
  const container = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines are what it follows
  useEffect(() => {
    if (follow && container.current) container.current.scrollTop = container.current.scrollHeight;
  }, [follow, lines]);
  function onScroll(): void {
    const element = container.current;
    if (!element) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 24;
    if (atEnd !== follow) setFollow(atEnd);
  }
  return (
    <div
      className={`${styles.log} mt-3`}
      ref={container}
      role="log"
      aria-live="off"
      aria-label={t`Lines`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard too
      tabIndex={0}
      onScroll={onScroll}
    >
      {lines.length === 0 ? <p className="muted">{children}</p> : null}
      {lines.map(({ key, at, replica, text }) => (
        <div key={key}>
          <time dateTime={at} title={at}>
            {formatTime(at)}
          </time>
          <span className={styles.replica}>{replica}</span>
          <span className={styles.text}>{text}</span>
        </div>
      ))}
    </div>
  );
}

function formatTime(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "–" : formatClock(date);
}
