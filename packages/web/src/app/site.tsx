import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { UNSAFE_createBrowserHistory as createBrowserHistory } from "react-router-dom";
import { Providers } from "./providers.tsx";
import { Site } from "./router.tsx";
import { createServices } from "./services.ts";
import { syncSessions } from "./session-sync.ts";

/** Draws the site. Its texts are read when this module is, so the language has to be there before. */
export function drawSite(root: HTMLElement): void {
  const services = createServices();
  syncSessions(services.client);
  createRoot(root).render(
    <StrictMode>
      <Providers {...services}>
        <Site client={services.client} history={createBrowserHistory({ v5Compat: true })} />
      </Providers>
    </StrictMode>,
  );
}
