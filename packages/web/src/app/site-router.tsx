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

/** The addresses that were visited, as the browser keeps them, or a test. */
export type SiteHistory = Navigator & {
  readonly action: `${NavigationType}`;
  readonly location: Location;
  listen(changed: () => void): () => void;
};

type Place = { action: `${NavigationType}`; location: Location; ready: Promise<void> };

/** Nothing to wait for, and known as such: React waits a moment for any other promise, and shows a gap meanwhile. */
const READY: Promise<void> = Object.assign(Promise.resolve(), { status: "fulfilled", value: undefined });

const ReadyContext = createContext<Promise<void>>(READY);
const PendingContext = createContext(false);

/** Waits, where the page would be drawn, until what it cannot be drawn without is here. */
export const useReady = (): void => use(useContext(ReadyContext));

/** Whether another page is on its way; this one stays until then. */
export const useIsLeaving = (): boolean => useContext(PendingContext);

type Props = {
  history: SiteHistory;
  /** Fetches what the page at a path cannot be drawn without. It never rejects. */
  prepare(path: string): Promise<void>;
  /** Whether that has been done for the first page. */
  prepared?: boolean;
  children: ReactNode;
};

/**
 * Keeps the page and the address together. A new page takes the place of the one before only when it is ready; a change of
 * the query or the fragment is the same page. (The library's own router with loaders is five times as large.)
 */
export function SiteRouter({ history, prepare, prepared = false, children }: Props) {
  const [place, setPlace] = useState<Place>(() => ({
    action: history.action,
    location: history.location,
    ready: prepared ? READY : prepare(history.location.pathname),
  }));
  const [isLeaving, startTransition] = useTransition();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the place where it began is enough
  useLayoutEffect(() => {
    let last = place;
    return history.listen(() => {
      const { action, location } = history;
      const isSamePage = location.pathname === last.location.pathname;
      last = { action, location, ready: isSamePage ? last.ready : prepare(location.pathname) };
      const next = last;
      const follow = () => startTransition(() => setPlace(next));
      // What is chosen on a page and stands in the address, such as a filter, shows as chosen at once.
      if (isSamePage) setPlace(next);
      // React draws at once what happens while one goes back, ready or not; a moment later it waits.
      else if (action === "POP") setTimeout(follow);
      else follow();
    });
  }, [history, prepare]);

  return (
    <PendingContext value={isLeaving}>
      <ReadyContext value={place.ready}>
        <Router location={place.location} navigationType={place.action as NavigationType} navigator={history}>
          {children}
        </Router>
      </ReadyContext>
    </PendingContext>
  );
}

/** Draws the route of the address. (The library's own hook for it can much that a flat table does not need.) */
export function MatchedRoute({ routes }: { routes: RouteObject[] }) {
  const location = useLocation();
  const matches = matchRoutes(routes, location) ?? [];
  return (
    <RouteContext value={{ outlet: null, matches, isDataRoute: false }}>{matches.at(-1)?.route.element}</RouteContext>
  );
}
