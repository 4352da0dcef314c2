import { useLayoutEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { useFailedLoading } from "#/components/ui/loading-bar.tsx";
import { isLostFile, reloadForLostChunk } from "./chunk-reload.ts";
import { Frame } from "./frame.tsx";
import { LostFile } from "./lost-file.tsx";
import { pageErrorOf } from "./page-error.ts";

/** Shown in place of a page that failed to render, in the layout of the site. */
export function FailedPage({ error }: { error: unknown }) {
  const reloading = useReload(error);
  return (
    <Frame layout="default" path="">
      {reloading ? null : <Failure error={error} />}
    </Frame>
  );
}

/** Shown in place of everything, if even the layout fails to render. */
export function FailedSite({ error }: { error: unknown }) {
  return useReload(error) ? null : (
    <main id="content">
      <Failure error={error} />
    </main>
  );
}

function Failure({ error }: { error: unknown }) {
  useFailedLoading();
  return isLostFile(error) ? <LostFile /> : <ErrorView error={pageErrorOf(error)} />;
}

/** Returns whether the page is being reloaded because a new version has replaced its chunks. */
function useReload(error: unknown): boolean {
  const { pathname } = useLocation();
  const [reloading, setReloading] = useState(true); // until known, to avoid a flash of an error that resolves itself
  useLayoutEffect(() => setReloading(reloadForLostChunk(error, pathname)), [error, pathname]);
  return reloading;
}
