import { StrictMode, startTransition, useEffect, useRef } from "react";
import { createRoot } from "react-dom/client";
import { UNSAFE_createBrowserHistory as createBrowserHistory } from "react-router-dom";
import { isPageWithoutSession } from "#/features/auth/page-session.ts";
import { userQuery } from "#/features/auth/user.ts";
import { replayEarlyInteractions } from "./early-interactions.ts";
import { Providers } from "./providers.tsx";
import { prefillPage, Site } from "./router.tsx";
import { createServices } from "./services.ts";
import { syncSessions } from "./session-sync.ts";

/** Renders the site into `root`. Importing this module reads its messages, so the language must be active before. */
export async function renderSite(root: HTMLElement): Promise<void> {
  const services = createServices();
  if (isPageWithoutSession()) services.client.setQueryData(userQuery.queryKey, null);
  syncSessions(services.client);
  // Prerendered HTML stays visible until the page is complete.
  const isPrerendered = root.hasChildNodes();
  if (isPrerendered) await prefillPage(services.client, globalThis.location);
  const site = (
    <StrictMode>
      <Providers {...services}>
        <Site client={services.client} history={createBrowserHistory({ v5Compat: true })} prepared={isPrerendered} />
        {isPrerendered ? <AfterFirstCommit run={() => replayEarlyInteractions(root, globalThis.window)} /> : null}
      </Providers>
    </StrictMode>
  );
  // As a transition, so that rendering does not block input on the prerendered HTML.
  startTransition(() => createRoot(root).render(site));
}

/** Runs a callback once after the first commit. */
function AfterFirstCommit({ run }: { run(): void }) {
  const hasRun = useRef(false);
  useEffect(() => {
    if (hasRun.current) return;
    hasRun.current = true;
    run();
  }, [run]);
  return null;
}
