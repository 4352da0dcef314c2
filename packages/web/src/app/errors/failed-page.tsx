import { useRouteError } from "react-router-dom";
import { useCurrentRoute } from "../current-route.ts";
import { Failure } from "./failure.tsx";
import { useChunkReload } from "./use-chunk-reload.ts";

/** Shown in place of a page that failed to render, in the layout of the site. */
export function FailedPage() {
  const error = useRouteError();
  const { layout } = useCurrentRoute();
  const view = useChunkReload(error) ? null : <Failure error={error} />;
  // Pages of the docs have their own main element.
  return layout === "docs" ? <main id="content">{view}</main> : view;
}
