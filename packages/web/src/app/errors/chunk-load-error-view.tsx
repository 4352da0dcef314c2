import { t } from "@lingui/core/macro";
import { useCallback, useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { useOnline } from "#/lib/browser/use-online.ts";

type Props = {
  /** Returns whether the server can be reached. */
  probe?(): Promise<boolean>;
  reload?(): void;
};

const PROBE_TIMEOUT_MS = 10_000; // ms

async function isServerReachable(): Promise<boolean> {
  const options = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) } as const;
  return fetch(new Request(location.href, options)).then(
    ({ ok }) => ok,
    () => false,
  );
}

const reloadPage = () => location.reload();

/** Shown in place of a page whose chunk could not be loaded. Reloads the page when the network is back. */
export function ChunkLoadErrorView({ probe = isServerReachable, reload = reloadPage }: Props) {
  const online = useOnline();
  const [isRetrying, setRetrying] = useState(false);
  const [isUnreachable, setUnreachable] = useState(false);

  // Check first: reloading without a server would replace the site with an error page of the browser.
  const retry = useCallback(async () => {
    setRetrying(true);
    const isReachable = await probe();
    setRetrying(false);
    setUnreachable(!isReachable);
    if (isReachable) reload();
  }, [probe, reload]);

  const wasOnline = useRef(online);
  useEffect(() => {
    if (online && !wasOnline.current) void retry();
    wasOnline.current = online;
  }, [online, retry]);

  return (
    <div className="page-width error-view">
      <h1 className="h1">{online ? t`This page could not be loaded` : t`You are offline`}</h1>
      <p className="lede mt-4">
        {online
          ? t`A part of it could not be fetched from the server. Try again; if it stays like that, the server is being restarted or updated.`
          : t`This page was not fetched before the network went away. It loads by itself when the network is back.`}
      </p>
      <p className="muted mt-2" role="status">
        {isUnreachable ? t`The server cannot be reached.` : ""}
      </p>
      <div className="row wrapping mt-6">
        <button
          type="button"
          className="btn primary"
          onClick={() => void retry()}
          disabled={isRetrying}
          aria-busy={isRetrying}
        >
          {t`Try again`}
        </button>
        <Link className="btn" to="/">
          {t`Back to home`}
        </Link>
      </div>
    </div>
  );
}
