import "#/styles/index.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router-dom";
import { ConfirmProvider } from "#/components/ui/confirm.tsx";
import { ToastProvider } from "#/components/ui/toast.tsx";
import { createQueryClient } from "#/lib/query-client.ts";
import { createRouter } from "./router.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <ToastProvider>
        <ConfirmProvider>
          <RouterProvider router={createRouter()} />
        </ConfirmProvider>
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
);
