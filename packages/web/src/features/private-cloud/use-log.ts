import { useEffect, useReducer, useRef, useState } from "react";
import { EMPTY_LOG, logReducer, newestOf, parseLine, type RawLine } from "./log-lines.ts";

/** State of the log stream; `hidden` while the page is not visible. */
export type Connection = "connecting" | "live" | "broken" | "ended" | "hidden";

const TAIL = 1_000;
/** Lines received within this time are rendered together. */
const GATHER = 100;

/** The live log of a deployment. It disconnects while the page is hidden, and resumes after the newest line. */
export function useLog(id: string) {
  const [log, dispatch] = useReducer(logReducer, EMPTY_LOG);
  const [connection, setConnection] = useState<Connection>("connecting");
  const [attempt, setAttempt] = useState(0);
  const seen = usePageSeen();
  const newest = useRef<string | null>(null);
  newest.current = newestOf(log);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens it anew
  useEffect(() => {
    if (!seen) return setConnection("hidden");
    setConnection("connecting");
    const source = new EventSource(
      `/api/feather/private-cloud/deployments/${encodeURIComponent(id)}/logs?tail=${TAIL}`,
    );
    let gathered: RawLine[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let since = newest.current;
    const flush = () => {
      clearTimeout(timer);
      timer = undefined;
      if (gathered.length > 0) dispatch({ type: "receive", lines: gathered, since });
      gathered = [];
    };
    source.onopen = () => {
      flush();
      since = newest.current;
      setConnection("live");
    };
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const line = parseLine(data);
      if (line) gathered.push(line);
      timer ??= setTimeout(flush, GATHER);
    };
    source.onerror = () => setConnection(source.readyState === EventSource.CLOSED ? "ended" : "broken");
    return () => {
      flush();
      source.close();
    };
  }, [id, seen, attempt]);

  return {
    log,
    connection,
    pause: () => dispatch({ type: "pause" }),
    resume: () => dispatch({ type: "resume" }),
    reconnect: () => setAttempt((count) => count + 1),
  };
}

function usePageSeen(): boolean {
  const [seen, setSeen] = useState(() => document.visibilityState !== "hidden");
  useEffect(() => {
    const look = () => setSeen(document.visibilityState !== "hidden");
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return seen;
}
