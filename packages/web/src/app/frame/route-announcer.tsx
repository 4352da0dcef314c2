import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

const ANNOUNCE_DELAY_MS = 300;

/**
 * Announces the title of a new page to screen readers, after a delay because loaded data may still change the title.
 */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const initialPath = useRef(pathname);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (initialPath.current === pathname) return;
    initialPath.current = "";
    const timer = setTimeout(() => setTitle(document.title), ANNOUNCE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [pathname]);
  return (
    <div className="visually-hidden" role="status">
      {title}
    </div>
  );
}
