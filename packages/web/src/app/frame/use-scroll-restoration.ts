import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/**
 * Scrolls to the top and focuses the content on a new page; restores the scroll position on back and forward. A change of
 * the query string alone, such as a filter, does not scroll.
 */
export function useScrollRestoration(): void {
  const { pathname, hash, key } = useLocation();
  const type = useNavigationType();
  const positions = useRef(new Map<string, number>());
  const current = useRef({ key, pathname });

  useEffect(() => {
    const savePosition = () => void positions.current.set(current.current.key, window.scrollY);
    const restoreByBrowser = () => {
      history.scrollRestoration = "auto"; // the browser restores the position after a reload
    };
    history.scrollRestoration = "manual";
    window.addEventListener("scroll", savePosition, { passive: true });
    window.addEventListener("pagehide", restoreByBrowser);
    return () => {
      window.removeEventListener("scroll", savePosition);
      window.removeEventListener("pagehide", restoreByBrowser);
    };
  }, []);

  useLayoutEffect(() => {
    const before = current.current;
    current.current = { key, pathname };
    if (before.key === key) return;
    if (type === "POP") window.scrollTo(0, positions.current.get(key) ?? 0);
    if (before.pathname === pathname) return;
    if (type !== "POP" && hash === "") window.scrollTo(0, 0);
    document.getElementById("content")?.focus({ preventScroll: true });
  }, [key, pathname, hash, type]);
}
