import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { type RouteObject, useLocation } from "react-router-dom";
import { LoadingBar, LoadingPlaceholder, useLoadingBar } from "#/components/ui/loading-bar.tsx";
import type { Layout } from "#/config/routes.ts";
import { useTrialEligible } from "#/features/auth/trial.ts";
import { ConsentScreens } from "#/features/consent/consent-screens.tsx";
import { ErrorAlert } from "./error-alert.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { FailedPage, FailedSite } from "./failed-page.tsx";
import { Frame } from "./frame.tsx";
import { toVisibleLayout } from "./guarded-route.tsx";
import { ImpersonationBanner } from "./impersonation-banner.tsx";
import { blockDangerousLinks } from "./link-guard.ts";
import { OfflineBanner } from "./offline-banner.tsx";
import { preloadOnIntent } from "./preload.ts";
import { RouteAnnouncer } from "./route-announcer.tsx";
import { watchSession } from "./session-watch.ts";
import { Shortcuts } from "./shortcuts.tsx";
import { MatchedRoute, useIsNavigating } from "./site-router.tsx";
import { Startup } from "./startup.tsx";
import { useReferral } from "./use-referral.ts";
import { useScrollRestoration } from "./use-scroll-restoration.ts";

type Props = { routes: RouteObject[]; layoutOf(path: string): Layout; preload(path: string): void };

/** The root of the site, with an error boundary of last resort. */
export function Root(props: Props) {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary resetKey={pathname} renderError={(error) => <FailedSite error={error} />}>
      <SiteContent {...props} />
    </ErrorBoundary>
  );
}

/** The current page, and what is shown or runs on every page. */
function SiteContent({ routes, layoutOf, preload }: Props) {
  const { pathname } = useLocation();
  useLoadingBar(useIsNavigating());
  useScrollRestoration();
  useReferral();
  useTrialEligible();
  const client = useQueryClient();
  useEffect(() => watchSession(client), [client]);
  useEffect(() => preloadOnIntent(preload), [preload]);
  useEffect(() => blockDangerousLinks(console.warn), []);
  return (
    <>
      <LoadingBar />
      <OfflineBanner />
      <ImpersonationBanner />
      <ErrorBoundary resetKey={pathname} renderError={(error) => <FailedPage error={error} />}>
        <Suspense fallback={<InitialLayout layout={layoutOf(pathname)} path={pathname} />}>
          <MatchedRoute routes={routes} />
        </Suspense>
      </ErrorBoundary>
      <ErrorAlert />
      <ConsentScreens path={pathname} />
      <RouteAnnouncer />
      <Shortcuts />
      <Startup />
    </>
  );
}

/** The layout of the first page while that page is being loaded. */
function InitialLayout({ layout, path }: { layout: Layout; path: string }) {
  return (
    <Frame layout={toVisibleLayout(layout, false)} path={path}>
      <LoadingPlaceholder />
    </Frame>
  );
}
