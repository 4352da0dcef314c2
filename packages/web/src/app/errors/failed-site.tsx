import { useRouteError } from "react-router-dom";
import { Failure } from "./failure.tsx";
import { useChunkReload } from "./use-chunk-reload.ts";

/** Shown in place of everything, if even the layout fails to render. */
export function FailedSite() {
  const error = useRouteError();
  return useChunkReload(error) ? null : (
    <main id="content">
      <Failure error={error} />
    </main>
  );
}
