import { useLayoutEffect, useState } from "react";
import { useLocation, useRouteError } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { useFailLoadingBar } from "#/components/ui/loading-bar.tsx";
import { ChunkLoadErrorView } from "./chunk-load-error-view.tsx";
import { isChunkLoadError, reloadAfterChunkError } from "./chunk-reload.ts";
import { useCurrentRoute } from "./current-route.ts";
import { toPageError } from "./page-error.ts";

/** Shown in place of a page that failed to render, in the layout of the site. */
export function FailedPage() {
  const error = useRouteError();
  const { layout } = useCurrentRoute();
  const view = useChunkReload(error) ? null : <Failure error={error} />;
  // Pages of the docs have their own main element.
  return layout === "docs" ? <main id="content">{view}</main> : view;
}

/** Shown in place of everything, if even the layout fails to render. */
export function FailedSite() {
  const error = useRouteError();
  return useChunkReload(error) ? null : (
    <main id="content">
      <Failure error={error} />
    </main>
  );
}

function Failure({ error }: { error: unknown }) {
  useFailLoadingBar();
  return isChunkLoadError(error) ? <ChunkLoadErrorView /> : <ErrorView error={toPageError(error)} />;
}

/** Returns whether the page is being reloaded because a new version has replaced its chunks. */
function useChunkReload(error: unknown): boolean {
  const { pathname } = useLocation();
  const [reloading, setReloading] = useState(true); // until known, to avoid a flash of an error that resolves itself
  useLayoutEffect(() => setReloading(reloadAfterChunkError(error, pathname)), [error, pathname]);
  return reloading;
}
