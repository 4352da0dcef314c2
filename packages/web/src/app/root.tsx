import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Outlet, useLocation, useNavigation } from "react-router-dom";
import { LoadingBar, LoadingPlaceholder, useLoadingBar } from "#/components/ui/loading-bar.tsx";
import { useTrialEligible } from "#/features/auth/trial.ts";
import { ConsentScreens } from "#/features/consent/consent-screens.tsx";
import { ErrorAlert } from "./error-alert.tsx";
import { findRoute } from "./find-route.ts";
import { Frame } from "./frame.tsx";
import { toVisibleLayout } from "./guarded-route.tsx";
import { ImpersonationBanner } from "./impersonation-banner.tsx";
import { blockDangerousLinks } from "./link-guard.ts";
import { OfflineBanner } from "./offline-banner.tsx";
import { importPageAt } from "./pages.ts";
import { createPreloader, preloadOnIntent } from "./preload.ts";
import { RouteAnnouncer } from "./route-announcer.tsx";
import { watchSession } from "./session-watch.ts";
import { Shortcuts } from "./shortcuts.tsx";
import { Startup } from "./startup.tsx";
import { useReferral } from "./use-referral.ts";
import { useScrollRestoration } from "./use-scroll-restoration.ts";

/** The current page, and what is shown or runs on every page. */
export function Root() {
  const { pathname } = useLocation();
  useLoadingBar(useNavigation().state !== "idle");
  useScrollRestoration();
  useReferral();
  useTrialEligible();
  const client = useQueryClient();
  useEffect(() => watchSession(client), [client]);
  useEffect(() => preloadOnIntent(createPreloader(importPageAt)), []);
  useEffect(() => blockDangerousLinks(console.warn), []);
  return (
    <>
      <LoadingBar />
      <OfflineBanner />
      <ImpersonationBanner />
      <Outlet />
      <ErrorAlert />
      <ConsentScreens path={pathname} />
      <RouteAnnouncer />
      <Shortcuts />
      <Startup />
    </>
  );
}

/** The layout of the first page while that page is being loaded. */
export function InitialPage() {
  const { pathname } = useLocation();
  const route = findRoute(pathname);
  return (
    <Frame layout={toVisibleLayout(route?.layout ?? "default", false)} route={route}>
      <LoadingPlaceholder />
    </Frame>
  );
}
