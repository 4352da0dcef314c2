import { ErrorView } from "#/components/layouts/error-view.tsx";
import { useFailLoadingBar } from "#/components/ui/loading/loading-bar-context.ts";
import { ChunkLoadErrorView } from "./chunk-load-error-view.tsx";
import { isChunkLoadError } from "./chunk-reload.ts";
import { toPageError } from "./page-error.ts";

/** The message about an error that a page threw; it ends the loading bar in the error colour. */
export function Failure({ error }: { error: unknown }) {
  useFailLoadingBar();
  return isChunkLoadError(error) ? <ChunkLoadErrorView /> : <ErrorView error={toPageError(error)} />;
}
