import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect } from "react";
import { Outlet, useLocation, useNavigation } from "react-router-dom";
import { LoadingBar } from "#/components/ui/loading/loading-bar.tsx";
import { useLoadingBar } from "#/components/ui/loading/loading-bar-context.ts";
import { useUser } from "#/entities/session/user.ts";
import { useTrialEligible } from "#/features/auth/trial.ts";
import { ConsentScreens } from "#/features/consent/consent-screens.tsx";
import { differsFromLanguage } from "#/lib/preferences/language.ts";
import { ErrorAlert } from "./errors/error-alert.tsx";
import { OfflineBanner } from "./frame/offline-banner.tsx";
import { RouteAnnouncer } from "./frame/route-announcer.tsx";
import { useScrollRestoration } from "./frame/use-scroll-restoration.ts";
import { GuardedFrame } from "./guard/guarded-frame.tsx";
import { blockDangerousLinks } from "./guard/link-guard.ts";
import { importPageAt } from "./pages.ts";
import { useReferral } from "./parameters/use-referral.ts";
import { createPreloader, preloadOnIntent } from "./preload.ts";
import { ImpersonationBanner } from "./session/impersonation-banner.tsx";
import { watchSession } from "./session/session-watch.ts";
import { Shortcuts } from "./shortcuts.tsx";
import { Startup } from "./startup.tsx";

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
  const { user } = useUser();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each user: a reload later would drop what is being written
  useEffect(() => {
    if (user && differsFromLanguage(user.language))
      void import("./session/account-language.ts").then(({ syncLanguage }) => syncLanguage(user));
  }, [user?.id]);
  // What the server sent in English was hidden; see public/first-paint.js.
  useLayoutEffect(() => void delete document.documentElement.dataset.language, []);
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
