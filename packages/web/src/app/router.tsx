import { useQuery } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense, useLayoutEffect } from "react";
import { createBrowserRouter, Navigate, Outlet, useLocation, useRouteError } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { ROUTES, type RouteSpec } from "#/config/routes.ts";
import { userQuery } from "#/features/auth/user.ts";
import { productName } from "#/lib/product.ts";
import { reloadForLostChunk } from "./chunk-reload.ts";
import { Frame } from "./frame.tsx";
import { decide } from "./guard.ts";
import { RootBehaviours } from "./root-behaviours.tsx";
import { Later } from "./routes/later.tsx";

type Page = ComponentType;
const load = (page: () => Promise<{ default: Page }>): Page => lazy(page);
const model = load(() => import("./routes/model.tsx"));

/** Pages that are built. Every other route of the table says that it is not built yet. */
const PAGES: Record<string, Page> = {
  "/": load(() => import("./routes/home.tsx")),
  "/login": load(() => import("./routes/login.tsx")),
  "/register": load(() => import("./routes/register.tsx")),
  "/models": load(() => import("./routes/models.tsx")),
  "/models/:owner/:name": model,
  "/models/:owner/:name/readme": model,
  "/models/:owner/:name/reviews": model,
  "/chat": load(() => import("./routes/chat.tsx")),
  "/reset-password": load(() => import("./routes/reset-password.tsx")),
  "/auth/:provider/callback": load(() => import("./routes/provider-callback.tsx")),
  "/oauth/authorize": load(() => import("./routes/oauth-authorize.tsx")),
  "/device": load(() => import("./routes/device.tsx")),
  "/status": load(() => import("./routes/status.tsx")),
  "/docs/*": load(() => import("./routes/docs.tsx")),
  "/account/profile": load(() => import("./routes/account/profile.tsx")),
  "/account/change-password": load(() => import("./routes/account/change-password.tsx")),
  "/account/verify-email": load(() => import("./routes/account/verify-email.tsx")),
  "/account/usage": load(() => import("./routes/account/usage.tsx")),
  "/account/api-keys": load(() => import("./routes/account/api-keys.tsx")),
};

function Guarded({ route }: { route: RouteSpec }) {
  const { pathname, search, hash } = useLocation();
  const { data: user, isPending } = useQuery(userQuery);
  const fullPath = pathname + search + hash;
  // Before the effects of the page, which may have a better title.
  useLayoutEffect(() => {
    document.title = `${route.title} - ${productName()}`;
  }, [route]);
  if (isPending && route.access !== "public") return null;
  const decision = decide(route, user ?? null, fullPath);
  if (decision.action === "redirect") return <Navigate to={decision.to} replace />;
  const Body = PAGES[route.path];
  return (
    <Frame layout={route.layout} path={route.path}>
      {decision.action === "error" ? (
        <ErrorView error={{ statusCode: 404, message: decision.message }} />
      ) : (
        <Suspense fallback={null}>{Body ? <Body /> : <Later title={route.title} />}</Suspense>
      )}
    </Frame>
  );
}

function Unmatched() {
  const { pathname, search } = useLocation();
  return (
    <Frame layout="default" path="">
      <ErrorView error={{ statusCode: 404, message: `Page Not Found: ${pathname}${search}` }} />
    </Frame>
  );
}

function Failed() {
  const error = useRouteError();
  const { pathname } = useLocation();
  if (reloadForLostChunk(error, pathname)) return null;
  return <ErrorView error={{ statusCode: 500, message: error instanceof Error ? error.message : String(error) }} />;
}

export function createRouter() {
  return createBrowserRouter([
    {
      element: (
        <>
          <RootBehaviours />
          <Outlet />
        </>
      ),
      errorElement: <Failed />,
      children: [
        ...ROUTES.map((route) => ({ path: route.path, element: <Guarded key={route.path} route={route} /> })),
        { path: "*", element: <Unmatched /> },
      ],
    },
  ]);
}
