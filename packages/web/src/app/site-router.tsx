import { createContext, type ReactNode, use, useContext, useLayoutEffect, useState, useTransition } from "react";
import {
  type Location,
  matchRoutes,
  type NavigationType,
  type Navigator,
  UNSAFE_RouteContext as RouteContext,
  type RouteObject,
  Router,
  useLocation,
} from "react-router-dom";

/** The session history: the browser's, or one in memory in tests. */
export type SiteHistory = Navigator & {
  readonly action: `${NavigationType}`;
  readonly location: Location;
  listen(onChange: () => void): () => void;
};

type RouterState = { action: `${NavigationType}`; location: Location; ready: Promise<void> };

/**
 * An already fulfilled promise: with its status set, React's `use` returns at once instead of suspending for a moment.
 */
const READY: Promise<void> = Object.assign(Promise.resolve(), { status: "fulfilled", value: undefined });

const ReadyContext = createContext<Promise<void>>(READY);
const PendingContext = createContext(false);

/** Suspends until the data and chunk of the current page are loaded. */
export const useWaitUntilReady = (): void => use(useContext(ReadyContext));

/** Returns whether a navigation is pending; the current page stays until the next one is ready. */
export const useIsNavigating = (): boolean => useContext(PendingContext);

type Props = {
  history: SiteHistory;
  /** Loads what the page at a path needs to render. Never rejects. */
  prepare(path: string): Promise<void>;
  /** Whether the first page is prepared already. */
  prepared?: boolean;
  children: ReactNode;
};

/**
 * Keeps page and URL in sync. A navigation shows the new page only when it is ready; a change of the query or the fragment
 * stays on the same page. (The library's own data router is five times as large.)
 */
export function SiteRouter({ history, prepare, prepared = false, children }: Props) {
  const [routerState, setRouterState] = useState<RouterState>(() => ({
    action: history.action,
    location: history.location,
    ready: prepared ? READY : prepare(history.location.pathname),
  }));
  const [isNavigating, startTransition] = useTransition();

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first location matters
  useLayoutEffect(() => {
    let last = routerState;
    return history.listen(() => {
      const { action, location } = history;
      const isSamePage = location.pathname === last.location.pathname;
      last = { action, location, ready: isSamePage ? last.ready : prepare(location.pathname) };
      const next = last;
      const commit = () => startTransition(() => setRouterState(next));
      // State of the same page in the URL, such as a filter, is applied immediately.
      if (isSamePage) setRouterState(next);
      // React renders updates during a popstate event synchronously, ready or not; outside of the event it waits.
      else if (action === "POP") setTimeout(commit);
      else commit();
    });
  }, [history, prepare]);

  return (
    <PendingContext value={isNavigating}>
      <ReadyContext value={routerState.ready}>
        <Router
          location={routerState.location}
          navigationType={routerState.action as NavigationType}
          navigator={history}
        >
          {children}
        </Router>
      </ReadyContext>
    </PendingContext>
  );
}

/**
 * Renders the route that matches the URL. (`useRoutes` of the library has features that a flat route table does not
 * need.)
 */
export function MatchedRoute({ routes }: { routes: RouteObject[] }) {
  const location = useLocation();
  const matches = matchRoutes(routes, location) ?? [];
  return (
    <RouteContext value={{ outlet: null, matches, isDataRoute: false }}>{matches.at(-1)?.route.element}</RouteContext>
  );
}
