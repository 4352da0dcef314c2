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

/** Draws the site. Its texts are read when this module is, so the language has to be there before. */
export async function drawSite(root: HTMLElement): Promise<void> {
  const services = createServices();
  if (arrivedAsVisitor()) services.client.setQueryData(userQuery.queryKey, null);
  syncSessions(services.client);
  // What the server has drawn stays in view until the page is there in whole.
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
  // In pieces: it is much to draw at once, and what the server has drawn is there to be used meanwhile.
  startTransition(() => createRoot(root).render(site));
}

/** Acts when everything beside it stands on the page. */
function OnceDrawn({ act }: { act(): void }) {
  const acted = useRef(false);
  useEffect(() => {
    if (acted.current) return;
    acted.current = true;
    act();
  }, [act]);
  return null;
}
