import type { User } from "@feather/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { LoadingPlaceholder } from "#/components/ui/loading/loading-placeholder.tsx";
import { hasLoggedOut, LastUserContext, userQuery } from "#/entities/session/user.ts";
import { i18n } from "#/i18n/runtime.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { navigateToExternalUrl } from "#/lib/navigation/external-navigation.ts";
import { DEFAULT_DESCRIPTION, setHead } from "#/lib/page-title.ts";
import { useCurrentRoute } from "../current-route.ts";
import { Frame } from "../frame/frame.tsx";
import { decideAccess, needsUser } from "./guard.ts";
import { type ForcedRedirect, routeRulesQuery } from "./route-rules.ts";

const SessionEnded = lazyComponent(
  async () => (await import("#/features/auth/session-ended-dialog.tsx")).SessionEndedDialog,
);

type Props = {
  /** Returns whether another redirect by rules is allowed; false after too many in a short time. */
  mayRedirect(): boolean;
  children: ReactNode;
};

/**
 * The layout of the site around the current page. The page is not shown while its rules or its guard redirect the visitor,
 * nor if the guard denies access. The layout stays mounted from page to page, and while a chunk is loading.
 */
export function GuardedFrame({ mayRedirect, children }: Props) {
  const route = useCurrentRoute();
  const { pathname, search, hash, key } = useLocation();
  const { data: sessionUser, isPending } = useQuery(userQuery);
  const lastUser = useLastUser(sessionUser, route.access !== "public");
  const expiredUser = sessionUser === null ? lastUser : null;
  const user = sessionUser ?? expiredUser;
  const redirect = useForcedRedirect(pathname, isPending ? undefined : (user?.id ?? null), mayRedirect);
  const decision =
    isPending && needsUser(route, pathname) ? null : decideAccess(route, user ?? null, pathname + search + hash);
  const title = decision?.action === "error" ? decision.message : i18n._(route.title);
  // A layout effect runs before the effects of the page, which may set a better title. Runs again for each path of a
  // route.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => {
    // The server has already set the description of the page a visit starts on.
    setHead(title, key === "default" ? undefined : DEFAULT_DESCRIPTION);
  }, [title, pathname]);

  // Other visitors than admins do not see the navigation of their area.
  const layout = route.layout === "admin" && decision?.action !== "show" ? "default" : route.layout;
  return (
    <LastUserContext value={lastUser}>
      <Frame layout={layout} route={route}>
        {redirect || decision === null ? (
          <LoadingPlaceholder />
        ) : decision.action === "redirect" ? (
          <>
            <LoadingPlaceholder />
            <Navigate to={decision.to} replace />
          </>
        ) : decision.action === "error" ? (
          <ErrorView error={{ statusCode: decision.status, message: decision.message }} />
        ) : (
          <Suspense fallback={<LoadingPlaceholder />}>{children}</Suspense>
        )}
      </Frame>
      {expiredUser ? (
        <Suspense fallback={null}>
          <SessionEnded user={expiredUser} />
        </Suspense>
      ) : null}
    </LastUserContext>
  );
}

/**
 * Returns the user of a private page, also after their session has expired: the page stays, to keep unsaved input. Null on
 * public pages, and after the user has logged out.
 */
function useLastUser(user: User | null | undefined, isPrivate: boolean): User | null {
  const client = useQueryClient();
  const [last, setLast] = useState<User | null>(null);
  const next = user === undefined || !isPrivate || (user === null && hasLoggedOut(client)) ? null : (user ?? last);
  if (next !== last) setLast(next);
  return next;
}

/** Follows the redirect rules of a path once they are loaded. `userId` is undefined until the user is loaded. */
function useForcedRedirect(
  path: string,
  userId: string | null | undefined,
  mayRedirect: () => boolean,
): ForcedRedirect | null {
  const navigate = useNavigate();
  const { data } = useQuery({ ...routeRulesQuery(path, userId ?? null), enabled: userId !== undefined });
  const [blockedRedirect, setBlockedRedirect] = useState<ForcedRedirect | null>(null);
  const redirect = data && data !== blockedRedirect ? data : null;
  useEffect(() => {
    if (redirect === null) return;
    if (!mayRedirect()) setBlockedRedirect(redirect);
    else if (redirect.external) navigateToExternalUrl(redirect.to);
    else navigate(redirect.to, { replace: true });
  }, [redirect, mayRedirect, navigate]);
  return redirect;
}
