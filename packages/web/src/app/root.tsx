import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Outlet, useLocation, useNavigation } from "react-router-dom";
import { LoadingBar } from "#/components/ui/loading/loading-bar.tsx";
import { useLoadingBar } from "#/components/ui/loading/loading-bar-context.ts";
import { useTrialEligible } from "#/features/auth/trial.ts";
import { ConsentScreens } from "#/features/consent/consent-screens.tsx";
import { ErrorAlert } from "./error-alert.tsx";
import { GuardedFrame } from "./guarded-frame.tsx";
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

/**
 * The current page in its layout, with the parts that every page has. `mayRedirect` returns whether another redirect by
 * rules is allowed.
 */
export function Root({ mayRedirect }: { mayRedirect(): boolean }) {
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
      <GuardedFrame mayRedirect={mayRedirect}>
        <Outlet />
      </GuardedFrame>
      <ErrorAlert />
      <ConsentScreens path={pathname} />
      <RouteAnnouncer />
      <Shortcuts />
      <Startup />
    </>
  );
}
