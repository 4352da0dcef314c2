import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { Loading } from "#/components/ui/loading-bar.tsx";
import type { Layout, RouteSpec } from "#/config/routes.ts";
import { HeldUser, hasLeft, type User, userQuery } from "#/features/auth/user.ts";
import { lazyPart } from "#/lib/lazy-part.ts";
import { leaveFor } from "#/lib/leave.ts";
import { DEFAULT_DESCRIPTION, setHead } from "#/lib/page-title.ts";
import { Frame } from "./frame.tsx";
import { decide, needsUser } from "./guard.ts";
import { type Forced, routeRulesQuery } from "./route-rules.ts";
import { useReady } from "./site-router.tsx";

const SessionEnded = lazyPart(async () => (await import("#/features/auth/session-ended.tsx")).SessionEnded);

type Props = {
  route: RouteSpec;
  /** Returns whether another redirect by rules is allowed; false after too many in a short time. */
  mayRedirect(): boolean;
  children: ReactNode;
};

/** A route in its layout, unless its rules redirect the visitor or its guard denies access. */
export function Guarded({ route, mayRedirect, children }: Props) {
  useReady();
  const { pathname, search, hash, key } = useLocation();
  const { data: signedIn, isPending } = useQuery(userQuery);
  const held = useHeldUser(signedIn, route.access !== "public");
  const user = signedIn ?? held;
  const forced = useForcedRedirect(pathname, isPending ? undefined : (user?.id ?? null), mayRedirect);
  const decision =
    isPending && needsUser(route, pathname) ? null : decide(route, user ?? null, pathname + search + hash);
  const title = decision?.action === "error" ? decision.message : route.title;
  // A layout effect runs before the effects of the page, which may set a better title. Runs again for each path of a
  // route.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => {
    // The server has already set the description of the page a visit starts on.
    setHead(title, key === "default" ? undefined : DEFAULT_DESCRIPTION);
  }, [title, pathname]);

  if (!forced && decision?.action === "redirect") return <Navigate to={decision.to} replace />;
  return (
    <HeldUser value={held}>
      <Frame layout={frameOf(route.layout, decision?.action === "show")} path={route.path}>
        {forced || decision === null ? (
          <Loading />
        ) : decision.action === "error" ? (
          <ErrorView error={{ statusCode: decision.status, message: decision.message }} />
        ) : (
          <Suspense fallback={<Loading />}>{children}</Suspense>
        )}
      </Frame>
      {held ? (
        <Suspense fallback={null}>
          <SessionEnded user={held} />
        </Suspense>
      ) : null}
    </HeldUser>
  );
}

/** Returns the layout to use: the default instead of the admin layout while the page is not shown. */
export const frameOf = (layout: Layout, shown: boolean): Layout => (layout === "admin" && !shown ? "default" : layout);

/** Returns the user whose session expired on a private page; null otherwise. The page stays, to keep unsaved input. */
function useHeldUser(user: User | null | undefined, isPrivate: boolean): User | null {
  const client = useQueryClient();
  const [last, setLast] = useState<User | null>(null);
  const next = user === undefined || !isPrivate || (user === null && hasLeft(client)) ? null : (user ?? last);
  if (next !== last) setLast(next);
  return user === null ? next : null;
}

/** Follows the redirect rules of a path once they are loaded. `userId` is undefined until the user is loaded. */
function useForcedRedirect(path: string, who: string | null | undefined, mayRedirect: () => boolean): Forced | null {
  const navigate = useNavigate();
  const { data } = useQuery({ ...routeRulesQuery(path, who ?? null), enabled: who !== undefined });
  const [refused, setRefused] = useState<Forced | null>(null);
  const forced = data && data !== refused ? data : null;
  useEffect(() => {
    if (forced === null) return;
    if (!mayRedirect()) setRefused(forced);
    else if (forced.external) leaveFor(forced.to);
    else navigate(forced.to, { replace: true });
  }, [forced, mayRedirect, navigate]);
  return forced;
}

/** The page for an unknown path. */
export function NotFound() {
  const { pathname, search, hash } = useLocation();
  return <ErrorView error={{ statusCode: 404, message: t`Page Not Found: ${pathname}${search}${hash}` }} />;
}
