import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

const SETTLING = 300;

/**
 * Announces the title of a new page to screen readers, after a delay because loaded data may still change the title.
 */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const first = useRef(pathname);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (first.current === pathname) return;
    first.current = "";
    const timer = setTimeout(() => setTitle(document.title), SETTLING);
    return () => clearTimeout(timer);
  }, [pathname]);
  return (
    <div className="visually-hidden" role="status">
      {title}
    </div>
  );
}
