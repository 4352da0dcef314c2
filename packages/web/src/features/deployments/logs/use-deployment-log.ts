import { useEffect, useReducer, useRef, useState } from "react";
import { usePageVisibility } from "#/lib/browser/use-page-visibility.ts";
import { EMPTY_LOG, logReducer, newestTime, parseLogLine, type RawLogLine } from "./log-lines.ts";

/** State of the log stream; `hidden` while the page is not visible. */
export type LogConnection = "connecting" | "live" | "broken" | "ended" | "hidden";

const TAIL_LINES = 1_000;
/** Lines received within this time are rendered together. */
const FLUSH_DELAY_MS = 100;

/** The live log of a deployment. It disconnects while the page is hidden, and resumes after the newest line. */
export function useDeploymentLog(id: string) {
  const [log, dispatch] = useReducer(logReducer, EMPTY_LOG);
  const [connection, setConnection] = useState<LogConnection>("connecting");
  const [attempt, setAttempt] = useState(0);
  const isVisible = usePageVisibility();
  const newest = useRef<string | null>(null);
  newest.current = newestTime(log);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens it anew
  useEffect(() => {
    if (!isVisible) return setConnection("hidden");
    setConnection("connecting");
    const source = new EventSource(
      `/api/feather/private-cloud/deployments/${encodeURIComponent(id)}/logs?tail=${TAIL_LINES}`,
    );
    let buffered: RawLogLine[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let since = newest.current;
    const flush = () => {
      clearTimeout(timer);
      timer = undefined;
      if (buffered.length > 0) dispatch({ type: "receive", lines: buffered, since });
      buffered = [];
    };
    source.onopen = () => {
      flush();
      since = newest.current;
      setConnection("live");
    };
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const line = parseLogLine(data);
      if (line) buffered.push(line);
      timer ??= setTimeout(flush, FLUSH_DELAY_MS);
    };
    source.onerror = () => setConnection(source.readyState === EventSource.CLOSED ? "ended" : "broken");
    return () => {
      flush();
      source.close();
    };
  }, [id, isVisible, attempt]);

  return {
    log,
    connection,
    pause: () => dispatch({ type: "pause" }),
    resume: () => dispatch({ type: "resume" }),
    reconnect: () => setAttempt((count) => count + 1),
  };
}
