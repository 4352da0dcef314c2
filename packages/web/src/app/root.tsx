import { useEffect } from "react";
import { Outlet, useLocation, useNavigation } from "react-router-dom";
import { LoadingBar, useLoading } from "#/components/ui/loading-bar.tsx";
import { useTrialEligible } from "#/features/auth/trial.ts";
import { ConsentScreens } from "#/features/consent/consent-screens.tsx";
import { ErrorAlert } from "./error-alert.tsx";
import { ImpersonationBanner } from "./impersonation-banner.tsx";
import { refuseDangerousLinks } from "./link-guard.ts";
import { preloadOnIntent } from "./preload.ts";
import { RouteAnnouncer } from "./route-announcer.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { useReferral } from "./use-referral.ts";
import { useScrollPlace } from "./use-scroll-place.ts";
import { useTracking } from "./use-tracking.ts";

/** What stands around every page, and what happens on any. */
export function Root({ preload }: { preload(path: string): void }) {
  const { pathname } = useLocation();
  useLoading(useNavigation().state !== "idle");
  useScrollPlace();
  useTracking();
  useReferral();
  useTrialEligible();
  useEffect(() => preloadOnIntent(preload), [preload]);
  useEffect(() => refuseDangerousLinks(console.warn), []);
  return (
    <>
      <LoadingBar />
      <ImpersonationBanner />
      <Outlet />
      <ErrorAlert />
      <ConsentScreens path={pathname} />
      <RouteAnnouncer />
      <Shortcuts />
    </>
  );
}
