import { useLayoutEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { useFailedLoading } from "#/components/ui/loading-bar.tsx";
import { isLostFile, reloadForLostChunk } from "./chunk-reload.ts";
import { Frame } from "./frame.tsx";
import { LostFile } from "./lost-file.tsx";
import { pageErrorOf } from "./page-error.ts";

/** In place of a page that failed, in the frame of the site. */
export function FailedPage({ error }: { error: unknown }) {
  const reloading = useReload(error);
  return (
    <Frame layout="default" path="">
      {reloading ? null : <Failure error={error} />}
    </Frame>
  );
}

/** In place of everything, when not even the frame can be drawn. */
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

/** Whether the page is being loaded again, because a part of it was replaced by a new version. */
function useReload(error: unknown): boolean {
  const { pathname } = useLocation();
  const [reloading, setReloading] = useState(true); // until it is known: no flash of an error that goes by itself
  useLayoutEffect(() => setReloading(reloadForLostChunk(error, pathname)), [error, pathname]);
  return reloading;
}
