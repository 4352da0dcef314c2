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
  /** Whether rules may send the visitor elsewhere once more. */
  mayRedirect(): boolean;
  children: ReactNode;
};

/** A route in its frame, if its rules let the visitor stay and its guard lets them see it. */
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
  // Before the effects of the page, which may have a better title. Each path has one, also of the same route.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => {
    // The page on which a visit begins comes with its description from the server.
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

/** The layout of a page that may not be shown, or not yet: the navigation of admins is for admins. */
export const frameOf = (layout: Layout, shown: boolean): Layout => (layout === "admin" && !shown ? "default" : layout);

/** Who was signed in on a private page until their session ended by itself. The page stays, for what was entered in it. */
function useHeldUser(user: User | null | undefined, isPrivate: boolean): User | null {
  const client = useQueryClient();
  const [last, setLast] = useState<User | null>(null);
  const next = user === undefined || !isPrivate || (user === null && hasLeft(client)) ? null : (user ?? last);
  if (next !== last) setLast(next);
  return user === null ? next : null;
}

/** Follows the rules of a path as soon as they are known. An undefined `who` is not known yet. */
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

/** An address that no page has. */
export function NotFound() {
  const { pathname, search, hash } = useLocation();
  return <ErrorView error={{ statusCode: 404, message: t`Page Not Found: ${pathname}${search}${hash}` }} />;
}
