import type { StorePull } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useDeferredPopup } from "#/components/ui/controls/use-deferred-popup.ts";
import { isRunning, runningPullsQuery } from "#/entities/store/queries.ts";
import { usePullEvents } from "#/entities/store/use-pull-events.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "./download-activity.module.css";

const load = async () => (await import("./download-activity-list.tsx")).DownloadActivityList;
const DownloadActivityList = lazyComponent(load);

/**
 * The downloads that are on their way, for administrators, in the top bar. One that ended while the page was open stays until
 * it was looked at.
 */
export function DownloadActivity() {
  const { data } = useQuery(runningPullsQuery);
  const { running, ended, clearEnded } = useWatchedPulls(data?.items ?? []);
  usePullEvents(running.length > 0);
  if (running.length + ended.length === 0) return null;
  return <DownloadButton running={running} ended={ended} clearEnded={clearEnded} />;
}

type Props = { running: readonly StorePull[]; ended: readonly StorePull[]; clearEnded(): void };

function DownloadButton({ running, ended, clearEnded }: Props) {
  const { opening, buttonProps } = useDeferredPopup(load);
  const hasFailed = ended.some(({ state }) => state === "failed");
  const trigger = {
    className: `btn ghost icon ${styles.button}`,
    "aria-label":
      running.length > 0
        ? plural(running.length, { one: "# download is running", other: "# downloads are running" })
        : hasFailed
          ? t`A download has failed`
          : t`Downloads have ended`,
  };
  const content = (
    <>
      <svg
        width="16"
        height="16"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        aria-hidden="true"
      >
        <path d="M8 2v8m-3.500-3L8 10.500 11.500 7M3 13.500h10" />
      </svg>
      <span className={hasFailed ? `${styles.count} ${styles.failed}` : styles.count} aria-hidden="true">
        {running.length > 0 ? running.length : hasFailed ? "!" : "✓"}
      </span>
    </>
  );
  const button = (
    <button {...buttonProps} {...trigger} aria-haspopup="dialog" aria-expanded="false">
      {content}
    </button>
  );
  return (
    <Suspense fallback={button}>
      {opening ? (
        <DownloadActivityList trigger={trigger} running={running} ended={ended} onClose={clearEnded}>
          {content}
        </DownloadActivityList>
      ) : (
        button
      )}
    </Suspense>
  );
}

/** Returns the running downloads, and those that were seen running and have ended since; `clearEnded` leaves these out. */
function useWatchedPulls(pulls: readonly StorePull[]) {
  const [watched, setWatched] = useState<ReadonlySet<string>>(new Set());
  const running = pulls.filter(isRunning);
  const ended = pulls.filter((pull) => watched.has(pull.id) && !isRunning(pull));
  const idsOf = (items: readonly StorePull[]) => items.map(({ id }) => id);
  if (running.some(({ id }) => !watched.has(id))) setWatched(new Set([...watched, ...idsOf(running)]));
  return { running, ended, clearEnded: () => setWatched(new Set(idsOf(running))) };
}
