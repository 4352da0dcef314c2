import { StrictMode, startTransition, useEffect, useRef } from "react";
import { createRoot } from "react-dom/client";
import { UNSAFE_createBrowserHistory as createBrowserHistory } from "react-router-dom";
import { userQuery } from "#/features/auth/user.ts";
import { arrivedAsVisitor } from "#/features/auth/visitor.ts";
import { repeatEarlyActs } from "./early-acts.ts";
import { Providers } from "./providers.tsx";
import { prefillPage, Site } from "./router.tsx";
import { createServices } from "./services.ts";
import { syncSessions } from "./session-sync.ts";

/** Renders the site into `root`. Importing this module reads its messages, so the language must be active before. */
export async function drawSite(root: HTMLElement): Promise<void> {
  const services = createServices();
  if (arrivedAsVisitor()) services.client.setQueryData(userQuery.queryKey, null);
  syncSessions(services.client);
  // Prerendered HTML stays visible until the page is complete.
  const prepared = root.hasChildNodes();
  if (prepared) await prefillPage(services.client, globalThis.location);
  const site = (
    <StrictMode>
      <Providers {...services}>
        <Site client={services.client} history={createBrowserHistory({ v5Compat: true })} prepared={prepared} />
        {prepared ? <OnceDrawn act={() => repeatEarlyActs(root, globalThis.window)} /> : null}
      </Providers>
    </StrictMode>
  );
  // As a transition, so that rendering does not block input on the prerendered HTML.
  startTransition(() => createRoot(root).render(site));
}

/** Runs a callback once after the first commit. */
function OnceDrawn({ act }: { act(): void }) {
  const acted = useRef(false);
  useEffect(() => {
    if (acted.current) return;
    acted.current = true;
    act();
  }, [act]);
  return null;
}
