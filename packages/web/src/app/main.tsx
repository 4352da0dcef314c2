import "#/styles/index.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { UNSAFE_createBrowserHistory as createBrowserHistory } from "react-router-dom";
import { Providers } from "./providers.tsx";
import { Site } from "./router.tsx";
import { createServices } from "./services.ts";
import { syncSessions } from "./session-sync.ts";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");

const services = createServices();
syncSessions(services.client);

createRoot(root).render(
  <StrictMode>
    <Providers {...services}>
      <Site client={services.client} history={createBrowserHistory({ v5Compat: true })} />
    </Providers>
  </StrictMode>,
);
