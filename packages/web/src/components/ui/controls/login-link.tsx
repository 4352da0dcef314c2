import type { ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import { paths } from "#/config/paths.ts";

/** A link to the login page that returns to the current page after signing in. */
export function LoginLink({ className = "link", children }: { className?: string; children: ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <Link className={className} to={paths.login(pathname + search)}>
      {children}
    </Link>
  );
}
