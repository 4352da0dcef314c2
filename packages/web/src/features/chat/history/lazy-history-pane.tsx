import { type ComponentProps, Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { HistoryPane } from "./history-pane.tsx";

const LoadedHistoryPane = lazyComponent(async () => (await import("./history-pane.tsx")).HistoryPane);

/** Loads the history once there is a session: signed-out visitors have none. */
export function LazyHistoryPane(props: ComponentProps<typeof HistoryPane>) {
  return <Suspense fallback={null}>{props.session ? <LoadedHistoryPane {...props} /> : null}</Suspense>;
}
