import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

const SETTLING = 300;

/** Tells those who listen which page has come. The title is read a moment later: data may still change it. */
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
