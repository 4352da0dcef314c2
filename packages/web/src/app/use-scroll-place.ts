import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/**
 * A page that was gone to begins at its top, with the keyboard too; one that was gone back to is as it was left. A change of
 * the query alone, such as of a filter, moves nothing.
 */
export function useScrollPlace(): void {
  const { pathname, hash, key } = useLocation();
  const type = useNavigationType();
  const places = useRef(new Map<string, number>());
  const current = useRef({ key, pathname });

  useEffect(() => {
    const note = () => void places.current.set(current.current.key, window.scrollY);
    const byBrowser = () => {
      history.scrollRestoration = "auto"; // it knows the place after a reload
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
