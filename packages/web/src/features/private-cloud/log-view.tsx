import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { State } from "#/components/ui/bits.tsx";
import { save } from "#/lib/download.ts";
import { dateFormat } from "#/lib/format.ts";
import { asText, type LogLine, pickLines } from "./log-lines.ts";
import { SearchInput } from "./search-input.tsx";
import { type Connection, useLog } from "./use-log.ts";

type Props = {
  deployment: { id: string; name: string };
  filter: { words: string; replica: string };
  set(filter: { words?: string; replica?: string }): void;
};

const CONNECTIONS: Record<Connection, { tier: string; word: string }> = {
  connecting: { tier: "loading", word: t`connecting` },
  live: { tier: "good", word: t`live` },
  broken: { tier: "loading", word: t`connecting again` },
  ended: { tier: "offline", word: t`ended` },
  hidden: { tier: "cold", word: t`resting` },
};

/** The live log of a deployment: it can be followed, paused, filtered and saved. */
export function LogView({ deployment, filter, set }: Props) {
  const { log, connection, pause, resume, reconnect } = useLog(deployment.id);
  const [follow, setFollow] = useState(true);
  const lines = pickLines(log.lines, filter.words, filter.replica);
  const replicas = [...new Set(log.lines.map(({ replica }) => replica))].sort();
  const { tier, word } = log.paused ? { tier: "cold", word: t`paused` } : CONNECTIONS[connection];
  return (
    <section aria-labelledby="log">
      <div className="row between wraps">
        <h2 className="h4" id="log">
          {t`Log`}
        </h2>
        <span className="small mid" role="status">
          <State tier={tier}>{word}</State>
        </span>
      </div>
      <div className="log-bar mt-3">
        <SearchInput
          label={t`Filter the log`}
          placeholder={t`Filter lines`}
          value={filter.words}
          set={(words) => set({ words })}
        />
        {replicas.length > 1 || filter.replica !== "" ? (
          <select
            className="btn"
            aria-label={t`Replica`}
            value={filter.replica}
            onChange={(event) => set({ replica: event.target.value })}
          >
            <option value="">{t`All replicas`}</option>
            {[...new Set([...replicas, ...(filter.replica === "" ? [] : [filter.replica])])].map((replica) => (
              <option key={replica} value={replica}>
                <Trans>Replica {replica}</Trans>
              </option>
            ))}
          </select>
        ) : null}
        <button type="button" className="btn" aria-pressed={follow} onClick={() => setFollow(!follow)}>
          {follow ? t`Following` : t`Follow`}
        </button>
        {log.paused ? (
          <button type="button" className="btn" onClick={resume}>
            {log.held.length > 0 ? t`Go on (${log.held.length} new)` : t`Go on`}
          </button>
        ) : (
          <button type="button" className="btn" onClick={pause}>
            {t`Pause`}
            <span className="visually-hidden"> {t`the log`}</span>
          </button>
        )}
        <button
          type="button"
          className="btn"
          disabled={lines.length === 0}
          onClick={() => save(`${deployment.name}.log`, "text/plain", asText(lines))}
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
      <p className="small dim mt-2 command">
        <code className="mono">{`feather deployments logs ${deployment.name} --follow`}</code>
      </p>
    </section>
  );
}

type LinesProps = {
  lines: readonly LogLine[];
  follow: boolean;
  setFollow(follow: boolean): void;
  /** Shown while there are no lines. */
  children: ReactNode;
};

function LogLines({ lines, follow, setFollow, children }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines are what it follows
  useEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [follow, lines]);
  function scrolled(): void {
    const element = box.current;
    if (!element) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 24;
    if (atEnd !== follow) setFollow(atEnd);
  }
  return (
    <div
      className="log mt-3"
      ref={box}
      role="log"
      aria-live="off"
      aria-label={t`Lines`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard too
      tabIndex={0}
      onScroll={scrolled}
    >
      {lines.length === 0 ? <p className="mid">{children}</p> : null}
      {lines.map(({ key, at, replica, text }) => (
        <div key={key}>
          <time dateTime={at} title={at}>
            {timeOf(at)}
          </time>
          <span className="replica">{replica}</span>
          <span className="text">{text}</span>
        </div>
      ))}
    </div>
  );
}

const clock = dateFormat({ timeStyle: "medium" });

function timeOf(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "–" : clock.format(date);
}
