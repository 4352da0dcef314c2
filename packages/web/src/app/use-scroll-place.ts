import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/**
 * Scrolls to the top and focuses the content on a new page; restores the scroll position on back and forward. A change of
 * the query string alone, such as a filter, does not scroll.
 */
export function useScrollPlace(): void {
  const { pathname, hash, key } = useLocation();
  const type = useNavigationType();
  const places = useRef(new Map<string, number>());
  const current = useRef({ key, pathname });

  useEffect(() => {
    const note = () => void places.current.set(current.current.key, window.scrollY);
    const byBrowser = () => {
      history.scrollRestoration = "auto"; // the browser restores the position after a reload
    };
    history.scrollRestoration = "manual";
    window.addEventListener("scroll", note, { passive: true });
    window.addEventListener("pagehide", byBrowser);
    return () => {
      window.removeEventListener("scroll", note);
      window.removeEventListener("pagehide", byBrowser);
    };
  }, []);

  useLayoutEffect(() => {
    const before = current.current;
    current.current = { key, pathname };
    if (before.key === key) return;
    if (type === "POP") window.scrollTo(0, places.current.get(key) ?? 0);
    if (before.pathname === pathname) return;
    if (type !== "POP" && hash === "") window.scrollTo(0, 0);
    document.getElementById("content")?.focus({ preventScroll: true });
  }, [key, pathname, hash, type]);
}
